package io.knabla.functions.autodiff.loss;

import io.knabla.functions.graph.ssa.Dag;
import io.knabla.functions.graph.ssa.Value;

/**
 * A graph with its loss.
 *
 * @param dag with the target as one more input and the output {@value Losses#LOSS} in front
 * @param objective the scalar to differentiate: the loss, or the sum of the losses where they are not reduced
 */
public record Attached(Dag dag, Value objective) {}
