package io.knabla.functions.compiler.autodiff.loss;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Value;

/**
 * A model graph with a loss attached.
 *
 * @param dag with the target as additional input, and {@value Losses#LOSS} as first output
 * @param objective the scalar to differentiate: the loss, or the sum of the losses if they are not reduced
 */
public record LossGraph(Dag dag, Value objective) {}
