/**
 * Predicts the cost of a model without running it: FLOPs, bytes moved, peak memory, time and replica size; start at
 * {@link io.knabla.functions.compiler.analyze.Analyzer}.
 */
package io.knabla.functions.compiler.analyze;
