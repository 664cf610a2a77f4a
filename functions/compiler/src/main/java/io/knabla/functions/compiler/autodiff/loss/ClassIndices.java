package io.knabla.functions.compiler.autodiff.loss;

import java.util.Optional;

/**
 * An input of a loss whose elements are class indices.
 *
 * @param input its name
 * @param classes how many there are, or -1 where only a run tells
 * @param ignored the one index outside of the classes that is allowed, if any
 */
public record ClassIndices(String input, long classes, Optional<Long> ignored) {}
