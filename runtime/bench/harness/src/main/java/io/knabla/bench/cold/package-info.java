/** Benchmarks cold starts: time until the first correct answer; start at {@code ColdBench}. */
package io.knabla.bench.cold;
