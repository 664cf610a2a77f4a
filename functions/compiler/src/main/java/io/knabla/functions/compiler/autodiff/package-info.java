/** Derivatives of a graph as another graph: one table of rules, one reverse sweep; start at {@link Transforms}. */
package io.knabla.functions.compiler.autodiff;
