/** Benchmarks transfers of units to and from S3 against a minimal client; start at {@code StoreBench}. */
package io.knabla.bench.store;
