/** Benchmarks this machine for latency predictions; start at {@link io.knabla.runtime.benchmark.MachineProfile}. */
package io.knabla.runtime.benchmark;
