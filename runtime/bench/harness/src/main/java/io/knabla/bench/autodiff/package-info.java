/** Benchmarks gradients and activation recomputation; start at {@code AutodiffBench}. */
package io.knabla.bench.autodiff;
