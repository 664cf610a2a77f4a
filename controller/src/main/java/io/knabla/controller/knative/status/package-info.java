/**
 * Computes a Function's status from its revisions, pods and nodes, with the remedy in each message; start at
 * {@link io.knabla.controller.knative.status.FunctionStatusBuilder}. Facts ({@code FunctionSnapshot}) lead to
 * {@code Trouble}s, and these to conditions ({@code ConditionResult}), never back.
 */
package io.knabla.controller.knative.status;
