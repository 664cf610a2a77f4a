package io.knabla.functions.autodiff;

import io.knabla.functions.graph.ssa.Value;

/**
 * What is differentiated by.
 *
 * @param name by which the results are called: {@code <name>_grad}
 */
public record Target(String name, Value value) {}
