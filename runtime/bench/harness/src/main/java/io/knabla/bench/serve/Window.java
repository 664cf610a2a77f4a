package io.knabla.bench.serve;

/**
 * What one contender did in one window of load.
 *
 * @param cpuMicros of the server for each request; 0 where nobody can tell
 */
public record Window(double perSecond, double p50Millis, double p99Millis, double cpuMicros) {}
