/**
 * Fuses chains of operations into one operation; start at
 * {@link io.knabla.functions.compiler.optimize.pattern.OperatorFusion}.
 */
package io.knabla.functions.compiler.optimize.pattern;
