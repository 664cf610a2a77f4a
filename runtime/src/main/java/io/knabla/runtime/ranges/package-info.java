/**
 * Measures the ranges of a graph's outputs on stored samples; start at
 * {@link io.knabla.runtime.ranges.RangeMeasurement}.
 */
package io.knabla.runtime.ranges;
