package io.knabla.controller.spot.simulate;

import io.knabla.controller.spot.trace.AvailabilityTrace;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * What policies are compared on.
 *
 * @param target replicas that should be ready at any time
 * @param timing delays of the cloud and of the control loop
 * @param workload requests; empty if only capacity is of interest
 */
public record Scenario(AvailabilityTrace trace, Market market, int target, Timing timing, Optional<Workload> workload) {
    /**
     * Delays.
     *
     * @param coldStart from the launch of a replica until it is ready
     * @param notice from the warning of an interruption to the interruption; zero if there is no warning
     * @param rebalanceLead from a rebalance recommendation to the loss; zero if there is no recommendation
     * @param tick between two decisions; a policy also decides when something happens
     */
    public record Timing(Duration coldStart, Duration notice, Duration rebalanceLead, Duration tick) {
        public Timing {
            if (coldStart.isNegative() || notice.isNegative() || rebalanceLead.isNegative() || !tick.isPositive()) {
                throw new IllegalArgumentException(
                        "delays must not be negative and the tick must be positive, but cold start, notice, rebalance"
                                + " lead and tick are %s, %s, %s, %s"
                                        .formatted(coldStart, notice, rebalanceLead, tick));
            }
        }

        /** SkyServe's: a cold start of 120 s, no warning, a decision every 30 s. */
        public static Timing skyServe() {
            return new Timing(Duration.ofSeconds(120), Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));
        }

        public Timing withColdStart(Duration other) {
            return new Timing(other, notice, rebalanceLead, tick);
        }
    }

    public Scenario {
        if (target < 1) {
            throw new IllegalArgumentException("the target must be one replica at least, but is " + target);
        }
    }

    /** SkyServe's: three replicas, spot at a third of the price on demand, its requests. */
    public static Scenario skyServe(AvailabilityTrace trace) {
        return new Scenario(
                trace,
                RelativeMarket.ofRatio(BigDecimal.valueOf(3)),
                3,
                Timing.skyServe(),
                Optional.of(Workload.skyServe(3)));
    }

    public Scenario withTiming(Timing other) {
        return new Scenario(trace, market, target, other, workload);
    }

    public Scenario withTrace(AvailabilityTrace other) {
        return new Scenario(other, market, target, timing, workload);
    }

    public Scenario withoutRequests() {
        return new Scenario(trace, market, target, timing, Optional.empty());
    }
}
