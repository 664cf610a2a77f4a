package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Value;

/**
 * A value to differentiate with respect to.
 *
 * @param name prefix of its result: {@code <name>_grad}
 */
public record GradientTarget(String name, Value value) {}
