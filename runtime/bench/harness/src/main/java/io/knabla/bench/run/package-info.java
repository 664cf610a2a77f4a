/** Runs the measurements of a benchmark one after the other; start at {@code BenchRun}. */
package io.knabla.bench.run;
