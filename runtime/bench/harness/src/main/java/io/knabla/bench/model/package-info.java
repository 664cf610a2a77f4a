/** Generates the models for the benchmarks; start at {@code Mlp}. */
package io.knabla.bench.model;
