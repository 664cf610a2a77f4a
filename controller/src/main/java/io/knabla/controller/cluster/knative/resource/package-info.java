/**
 * Maps the custom resource {@code Function} and its status to Java; start at
 * {@link io.knabla.controller.cluster.knative.resource.FunctionObject}.
 */
package io.knabla.controller.cluster.knative.resource;
