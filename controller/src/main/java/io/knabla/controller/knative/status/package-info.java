/**
 * Computes a Function's status from its revisions, pods and nodes, with the remedy in each message; start at
 * {@link io.knabla.controller.knative.status.FunctionStatusBuilder}.
 */
package io.knabla.controller.knative.status;
