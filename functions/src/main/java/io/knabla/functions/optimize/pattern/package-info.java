/** Chains of operations that stand for one; start at {@link io.knabla.functions.optimize.pattern.Patterns}. */
package io.knabla.functions.optimize.pattern;
