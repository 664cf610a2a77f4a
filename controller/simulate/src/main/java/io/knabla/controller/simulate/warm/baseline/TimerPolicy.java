package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * For a function that a timer calls: a replica is ready just before the next tick, and released just after. The tick
 * comes from the function's schedule, or, where none is known, from arrivals that were equally far apart. Without
 * either, an idle replica is kept for a fixed time.
 *
 * @param otherwiseMillis that time
 */
public record TimerPolicy(long otherwiseMillis) implements WarmPolicy {
    private static final String NAME = "Timer";
    private static final int ALIKE = 5;

    /** How far a timer's ticks may be off: the larger of this, and a share of the period. */
    private static final long JITTER_MILLIS = 2_000;

    private static final double JITTER_SHARE = 0.01;

    /** Timers do not tick more often; requests that are closer look alike without one. */
    private static final long FINEST_MILLIS = 60_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        return new Learner(profile, otherwiseMillis);
    }

    private static final class Learner extends FunctionLevelPolicy {
        private final FunctionProfile profile;
        private final long otherwiseMillis;
        private final RecentTimes gaps = new RecentTimes(ALIKE);
        private final double[] lastArrival = {-1};

        Learner(FunctionProfile profile, long otherwiseMillis) {
            super(NAME);
            this.profile = profile;
            this.otherwiseMillis = otherwiseMillis;
        }

        @Override
        public void started(int replica, long now) {
            if (lastArrival[0] >= 0) {
                gaps.add(now - lastArrival[0]);
            }
            lastArrival[0] = now;
            super.started(replica, now);
        }

        @Override
        void idle(long millis, long now) {}

        @Override
        Decision decide(long now) {
            OptionalLong tick = tick(now);
            if (tick.isEmpty()) {
                return Decision.of(Window.lasting(now, otherwiseMillis), Reason.FIXED_TIME);
            }
            long margin = margin(tick.getAsLong() - lastArrival[0]);
            return Decision.of(
                    new Window(Math.max(now, tick.getAsLong() - margin), tick.getAsLong() + margin), Reason.TIMER);
        }

        private OptionalLong tick(long now) {
            if (profile.timer().isPresent()) {
                return profile.timer().get().after(Instant.ofEpochMilli(now)).stream()
                        .mapToLong(Instant::toEpochMilli)
                        .findFirst();
            }
            double[] sorted = gaps.sorted();
            boolean alike = sorted.length == ALIKE
                    && sorted[ALIKE - 1] >= FINEST_MILLIS
                    && sorted[ALIKE - 1] - sorted[0] <= margin(sorted[0]);
            long tick =
                    Math.round(lastArrival[0] + Arrays.stream(sorted).average().orElse(0));
            return alike && tick > now ? OptionalLong.of(tick) : OptionalLong.empty();
        }

        private static long margin(double period) {
            return Math.max(JITTER_MILLIS, Math.round(JITTER_SHARE * period));
        }

        @Override
        double[][] parts() {
            return new double[][] {gaps.values, lastArrival};
        }
    }
}
