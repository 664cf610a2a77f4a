package io.knabla.controller.simulate.spot;

import java.math.BigDecimal;

/**
 * What a policy did in one simulation.
 *
 * @param cost as a fraction of what the target costs on demand for the same time
 * @param availability share of the time in which the target was ready, 0 to 1
 * @param outage share of the time in which no replica was ready, 0 to 1
 * @param hours of all replicas, from launch to end
 * @param spotHours of those on spot
 */
public record Outcome(
        BigDecimal cost,
        double availability,
        double outage,
        double hours,
        double spotHours,
        LaunchCounts launches,
        RequestCounts requests) {
    /** Share of the replicas' time that was on spot, 0 to 1. */
    public double spotShare() {
        return hours == 0 ? 0 : spotHours / hours;
    }

    /**
     * @param refused launches for which there was no capacity
     * @param interrupted replicas that were taken back
     */
    public record LaunchCounts(long launched, long refused, long interrupted) {}
}
