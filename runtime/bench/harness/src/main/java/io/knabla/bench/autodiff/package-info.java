/** How fast gradients are, and what recomputation saves; start at {@code AutodiffBench}. */
package io.knabla.bench.autodiff;
