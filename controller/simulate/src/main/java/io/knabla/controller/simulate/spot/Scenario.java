package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.usage.NodeEnd;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What policies are compared on.
 *
 * @param targets replicas that should be ready, by time; whole numbers, some of them above 0
 * @param timing delays of the cloud and of the control loop
 * @param workload requests; empty if only capacity is of interest
 * @param platform on which decisions are carried out
 */
public record Scenario(
        AvailabilityTrace trace,
        Market market,
        Steps targets,
        Timing timing,
        Optional<Workload> workload,
        SimulatedPlatform platform) {
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
        if (targets.values().values().stream().allMatch(target -> target < 1)) {
            throw new IllegalArgumentException("the target must be one replica at least, but is " + targets.values());
        }
    }

    public Scenario(AvailabilityTrace trace, Market market, int target, Timing timing, Optional<Workload> workload) {
        this(trace, market, Steps.of(target), timing, workload, SimulatedPlatform.None);
    }

    /** @param millis since the trace's start */
    int target(long millis) {
        return (int) targets.at(millis);
    }

    /** What the target costs on demand from the trace's start until a time. */
    BigDecimal onDemandCost(long untilMillis) {
        BigDecimal cost = BigDecimal.ZERO;
        Offering offering = Offering.onDemand(trace.zones().getFirst());
        for (long from = 0; from < untilMillis; from = targets.nextAfter(from)) {
            long until = Math.min(untilMillis, targets.nextAfter(from));
            var life = new BilledInstance("on-demand", offering, instant(from), instant(until), NodeEnd.RELEASED);
            cost = cost.add(market.bill(life).multiply(BigDecimal.valueOf(target(from))));
        }
        return cost;
    }

    private Instant instant(long millis) {
        return trace.start().plusMillis(millis);
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
        return new Scenario(trace, market, targets, other, workload, platform);
    }

    public Scenario withTrace(AvailabilityTrace other) {
        return new Scenario(other, market, targets, timing, workload, platform);
    }

    public Scenario withoutRequests() {
        return new Scenario(trace, market, targets, timing, Optional.empty(), platform);
    }

    public Scenario on(SimulatedPlatform other) {
        return new Scenario(trace, market, targets, timing, workload, other);
    }
}
