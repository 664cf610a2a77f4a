/** From one request to a function without a pod to its answer, on a real cluster; start at {@code ClusterBench}. */
package io.knabla.bench.cluster;
