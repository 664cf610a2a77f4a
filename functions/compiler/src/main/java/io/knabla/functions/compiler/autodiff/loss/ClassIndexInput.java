package io.knabla.functions.compiler.autodiff.loss;

import java.util.Optional;

/**
 * An input of a loss that holds class indices.
 *
 * @param input its name
 * @param classes number of classes, or -1 if known at run time only
 * @param ignored the one index outside the classes that is allowed, if any
 */
public record ClassIndexInput(String input, long classes, Optional<Long> ignored) {}
