/** Benchmarks throughput and latency under load; start at {@code ServeBench}. */
package io.knabla.bench.serve;
