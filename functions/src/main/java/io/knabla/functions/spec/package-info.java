/** What a user writes: {@code function.yaml} as records; start at {@link io.knabla.functions.spec.FunctionResource}. */
package io.knabla.functions.spec;
