/**
 * Equal results for fewer bytes, after differentiation; start at
 * {@link io.knabla.functions.optimize.algebra.Simplification}.
 */
package io.knabla.functions.optimize.algebra;
