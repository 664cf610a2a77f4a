/**
 * Reconciles Function resources: packages their versions, applies their Knative objects and writes their status; start
 * at {@link io.knabla.controller.operator.FunctionOperator}.
 */
package io.knabla.controller.operator;
