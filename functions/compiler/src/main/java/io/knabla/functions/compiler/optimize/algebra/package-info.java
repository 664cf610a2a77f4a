/**
 * Rewrites derivative graphs to compute equal results with less memory traffic; start at
 * {@link io.knabla.functions.compiler.optimize.algebra.Simplification}.
 */
package io.knabla.functions.compiler.optimize.algebra;
