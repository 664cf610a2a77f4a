/** Measures the speed of this host; start at {@link io.knabla.controller.benchmark.MachineBenchmark}. */
package io.knabla.controller.benchmark;
