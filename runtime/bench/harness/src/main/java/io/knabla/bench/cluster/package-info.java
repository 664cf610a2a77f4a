/**
 * Benchmarks cold starts on a real cluster, from a request to a function without pods to its answer; start at
 * {@code ClusterBench}.
 */
package io.knabla.bench.cluster;
