/**
 * Computes a Function's status from its revisions, pods and nodes, with the remedy in each message; start at
 * {@link io.knabla.controller.cluster.knative.diagnose.Judge}.
 */
package io.knabla.controller.cluster.knative.diagnose;
