package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Dag;

/** A quantised graph, and the report on the changes. */
public record QuantizationResult(Dag dag, QuantizationReport report) {}
