package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Dag;

/** A model with integers in it, and what that took. */
public record Quantized(Dag dag, Report report) {}
