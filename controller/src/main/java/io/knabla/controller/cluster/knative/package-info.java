/** Kubernetes with Knative as the cluster: what it offers, what to ask of it, and what it says. */
package io.knabla.controller.cluster.knative;
