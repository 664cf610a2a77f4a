/**
 * Counts this process's requests to the Kubernetes API: tests compare them with the granted rights, and loops show in
 * the metric; start at {@link io.knabla.controller.knative.calls.ApiCall}.
 */
package io.knabla.controller.knative.calls;
