/** Reverse-mode differentiation of a graph, given a table of rules; start at {@code Sweep}. */
package io.knabla.functions.compiler.autodiff.reverse;
