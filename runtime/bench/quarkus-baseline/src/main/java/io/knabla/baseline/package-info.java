/**
 * Reference application of the benchmarks: one model behind Quarkus REST with default settings; start at
 * {@code InferResource}.
 */
package io.knabla.baseline;
