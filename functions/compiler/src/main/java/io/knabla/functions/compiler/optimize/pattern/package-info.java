/** Chains of operations that stand for one; start at {@link io.knabla.functions.compiler.optimize.pattern.Patterns}. */
package io.knabla.functions.compiler.optimize.pattern;
