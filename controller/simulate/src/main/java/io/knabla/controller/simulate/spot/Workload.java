package io.knabla.controller.simulate.spot;

import java.time.Duration;

/**
 * Requests with exponential times between them and exponential service times.
 *
 * @param perSecond requests a second, of all clients, by time; positive at some time
 * @param meanService mean time that a replica works on a request
 * @param timeout time from its arrival after which a request has failed
 * @param concurrency requests that a replica works on at once
 */
public record Workload(Steps perSecond, Duration meanService, Duration timeout, int concurrency) {
    public Workload {
        boolean arrives = perSecond.values().values().stream().anyMatch(rate -> rate > 0)
                && perSecond.values().values().stream().allMatch(rate -> rate >= 0);
        if (!arrives || !meanService.isPositive() || !timeout.isPositive() || concurrency < 1) {
            throw new IllegalArgumentException(
                    "rate, service time, timeout and concurrency must be positive, but are %s/s, %s, %s and %d"
                            .formatted(perSecond.values(), meanService, timeout, concurrency));
        }
    }

    public Workload(double perSecond, Duration meanService, Duration timeout, int concurrency) {
        this(Steps.of(perSecond), meanService, timeout, concurrency);
    }

    /** SkyServe's: three clients of 0.05 requests a second, 10 s each, on three replicas; scaled to the target. */
    public static Workload skyServe(int target) {
        return new Workload(0.05 * Math.max(1, target), Duration.ofSeconds(10), Duration.ofSeconds(100), 1);
    }
}
