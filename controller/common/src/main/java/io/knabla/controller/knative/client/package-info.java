/**
 * Completes the configuration of a Kubernetes client; start at {@link io.knabla.controller.knative.client.ClientKeys}.
 */
package io.knabla.controller.knative.client;
