package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Value;

/**
 * What is differentiated by.
 *
 * @param name by which the results are called: {@code <name>_grad}
 */
public record Target(String name, Value value) {}
