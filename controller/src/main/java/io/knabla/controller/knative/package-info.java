/**
 * Implements the cluster on Kubernetes with Knative: watches pods and nodes, reads the status of functions; start at
 * {@link io.knabla.controller.knative.KnativeView}.
 */
package io.knabla.controller.knative;
