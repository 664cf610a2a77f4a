/** The options of a derivative: loss, variables, optimizer and memory; start at {@code Gradient}. */
package io.knabla.functions.compiler.autodiff.options;
