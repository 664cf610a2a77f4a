/**
 * Reconciles Function resources: packages their versions, applies their Knative objects and writes their status; start
 * at {@link io.knabla.controller.knative.reconcile.FunctionOperator}.
 */
package io.knabla.controller.knative.reconcile;
