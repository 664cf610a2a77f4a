/**
 * Equal results for fewer bytes, after differentiation; start at
 * {@link io.knabla.functions.compiler.optimize.algebra.Simplification}.
 */
package io.knabla.functions.compiler.optimize.algebra;
