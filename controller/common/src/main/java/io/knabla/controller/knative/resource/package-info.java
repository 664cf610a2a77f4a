/**
 * Maps the custom resource {@code Function} and its status to Java; start at
 * {@link io.knabla.controller.knative.resource.FunctionObject}.
 */
package io.knabla.controller.knative.resource;
