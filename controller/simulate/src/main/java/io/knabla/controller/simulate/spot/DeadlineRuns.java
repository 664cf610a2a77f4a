package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.spot.policy.SpotPolicy;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Optional;

/**
 * Runs a job with a deadline from several starts in a trace. The job is that of "Can't Be Late" (NSDI'24): 48 hours of
 * work in 60 hours, a changeover of 0.2 hours; on a shorter trace, so much less that half of the trace is allowed.
 */
final class DeadlineRuns {
    private static final Duration ALLOWED = Duration.ofHours(60);
    private static final double WORK = 0.8;
    private static final double CHANGEOVER = 0.2 / 60;

    private DeadlineRuns() {}

    /**
     * Means over the starts.
     *
     * @param cost as a fraction of what the work costs on demand
     * @param missed jobs that were late
     */
    record Summary(BigDecimal cost, int starts, int missed, double onDemandHours, double spotHours) {}

    static Summary run(Scenario scenario, SpotPolicy policy, int starts, long seed) {
        AvailabilityTrace trace = scenario.trace();
        int target = scenario.target(0);
        Duration half = trace.length().dividedBy(2);
        Duration allowed = ALLOWED.compareTo(half) < 0 ? ALLOWED : half;
        Duration work = times(allowed, WORK);
        Duration changeover = times(allowed, CHANGEOVER);
        BigDecimal cost = BigDecimal.ZERO;
        double spot = 0;
        double all = 0;
        int missed = 0;
        for (int start = 0; start < starts; start++) {
            Duration from = times(trace.length().minus(allowed), (double) start / starts);
            var job = new DeadlineJob(work, allowed, changeover);
            Outcome outcome = Simulation.run(
                    new Scenario(
                            trace.part(from, from.plus(allowed)),
                            scenario.market(),
                            target,
                            scenario.timing().withColdStart(changeover),
                            Optional.empty()),
                    policy,
                    job,
                    seed + start);
            missed += job.isDone() ? 0 : 1;
            // The outcome's cost is relative to the time that the job took.
            double took = (allowed.toNanos() - job.timeLeft().toNanos()) / 3.6e12;
            cost = cost.add(outcome.cost().multiply(BigDecimal.valueOf(took / (work.toNanos() / 3.6e12))));
            spot += outcome.spotHours() / target;
            all += outcome.hours() / target;
        }
        return new Summary(
                cost.divide(BigDecimal.valueOf(starts), MathContext.DECIMAL64),
                starts,
                missed,
                (all - spot) / starts,
                spot / starts);
    }

    private static Duration times(Duration time, double factor) {
        return Duration.ofMillis((long) (time.toMillis() * factor));
    }
}
