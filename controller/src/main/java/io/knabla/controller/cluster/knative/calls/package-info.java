/**
 * What this process asks of the Kubernetes API, counted: rights are held against it, and loops show; start at
 * {@link io.knabla.controller.cluster.knative.calls.ApiCall}.
 */
package io.knabla.controller.cluster.knative.calls;
