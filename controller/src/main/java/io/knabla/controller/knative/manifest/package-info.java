/**
 * Decides which Kubernetes and Knative objects a function needs, without any I/O; start at
 * {@link io.knabla.controller.knative.manifest.Rollout}.
 */
package io.knabla.controller.knative.manifest;
