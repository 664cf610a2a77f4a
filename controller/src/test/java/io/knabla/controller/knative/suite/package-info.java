/**
 * The platform on a real Kubernetes with Knative; {@code ./knabla test cluster} runs what is named {@code …OnCluster}.
 */
package io.knabla.controller.knative.suite;
