/**
 * Implements the cluster on Kubernetes with Knative: watches pods and nodes, reads the status of functions; start at
 * {@link io.knabla.controller.cluster.knative.KnativeView}.
 */
package io.knabla.controller.cluster.knative;
