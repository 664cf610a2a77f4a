package io.knabla.functions.compiler.autodiff.loss;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Value;

/**
 * A graph with its loss.
 *
 * @param dag with the target as one more input and the output {@value Losses#LOSS} in front
 * @param objective the scalar to differentiate: the loss, or the sum of the losses where they are not reduced
 */
public record Attached(Dag dag, Value objective) {}
