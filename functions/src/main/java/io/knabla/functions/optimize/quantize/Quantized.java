package io.knabla.functions.optimize.quantize;

import io.knabla.functions.graph.ssa.Dag;

/** A model with integers in it, and what that took. */
public record Quantized(Dag dag, Report report) {}
