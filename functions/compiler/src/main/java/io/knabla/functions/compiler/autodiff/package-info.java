/** Compiles derivatives of a graph into another graph, in reverse mode; start at {@link Differentiator}. */
package io.knabla.functions.compiler.autodiff;
