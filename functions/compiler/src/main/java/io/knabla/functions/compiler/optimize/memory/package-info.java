/**
 * Computes values again instead of keeping them; start at
 * {@link io.knabla.functions.compiler.optimize.memory.Recomputing}.
 */
package io.knabla.functions.compiler.optimize.memory;
