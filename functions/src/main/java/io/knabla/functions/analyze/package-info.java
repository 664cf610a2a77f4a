/**
 * What a model will cost, without running anything: FLOPs, bytes, peak memory, a fitting size; start at
 * {@link io.knabla.functions.analyze.Analyzer}.
 */
package io.knabla.functions.analyze;
