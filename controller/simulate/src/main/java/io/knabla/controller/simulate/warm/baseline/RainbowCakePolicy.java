package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.StartCost;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;
import java.util.List;

/**
 * The keep-warm policy of RainbowCake (Yu et al., ASPLOS 2024): an idle replica loses its model, then its engine, then
 * its container; until then, what is left of it can serve any function. Arrivals count as exponential with the mean of
 * the last six within a day; a layer is kept until the next has come with a probability of 0.8, for at least a minute,
 * and at most for what the start that it saves is worth.
 *
 * @param alpha weight of a second of start against a MB-second: 0.996 in the paper's code
 */
public record RainbowCakePolicy(double alpha) implements WarmPolicy {
    public static final double ALPHA = 0.996;

    private static final String NAME = "RainbowCake";
    private static final int ARRIVALS = 6;
    private static final long DAY_MILLIS = 24 * 3_600_000L;
    private static final long LEAST_MILLIS = 60_000;
    private static final long UNKNOWN_MILLIS = 600_000;

    /** Quantile 0.8 of the exponential distribution is its mean times this. */
    private static final double QUANTILE = Math.log(5);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        return new Learner(profile.start(), alpha);
    }

    LayerPolicy layers() {
        // The layers that are shared are of the same size for every model.
        StartCost start = StartCost.measured(1);
        return new Layers(start, alpha);
    }

    private static long keepMillis(double quantile, double seconds, double gb, double alpha) {
        double worth = 1e3 * alpha * seconds / ((1 - alpha) * 1e3 * gb);
        return Math.max(LEAST_MILLIS, Math.round(Math.min(quantile, worth)));
    }

    /** Quantile of the time to the next arrival, in milliseconds; negative if unknown. */
    private static double quantile(RecentTimes arrivals, long now) {
        int count = 0;
        double oldest = now;
        for (double arrival : arrivals.oldestFirst()) {
            if (now - arrival <= DAY_MILLIS) {
                oldest = Math.min(oldest, arrival);
                count++;
            }
        }
        return count < 2 ? -1 : QUANTILE * (now - oldest) / count;
    }

    private static final class Learner extends FunctionLevelPolicy {
        private final RecentTimes arrivals = new RecentTimes(ARRIVALS);
        private final StartCost start;
        private final double alpha;

        Learner(StartCost start, double alpha) {
            super(NAME);
            this.start = start;
            this.alpha = alpha;
        }

        @Override
        public void started(int replica, long now) {
            arrivals.add(now);
            super.started(replica, now);
        }

        @Override
        void idle(long millis, long now) {}

        @Override
        Decision decide(long now) {
            double quantile = quantile(arrivals, now);
            if (quantile < 0) {
                return Decision.of(Window.lasting(now, UNKNOWN_MILLIS), Reason.TOO_FEW_OBSERVATIONS);
            }
            Window kept = Window.lasting(
                    now, RainbowCakePolicy.keepMillis(quantile, start.modelSeconds(), start.modelGb(), alpha));
            Window later = Window.lasting(now + Math.round(quantile), kept.until() - now);
            return later.from() > kept.until()
                    ? new Decision(List.of(kept, later), Reason.QUANTILE)
                    : Decision.of(kept, Reason.QUANTILE);
        }

        @Override
        double[][] parts() {
            return new double[][] {arrivals.values};
        }
    }

    private record Layers(RecentTimes arrivals, StartCost start, double alpha) implements LayerPolicy {
        Layers(StartCost start, double alpha) {
            this(new RecentTimes(ARRIVALS), start, alpha);
        }

        @Override
        public void arrived(long now) {
            arrivals.add(now);
        }

        @Override
        public long keepMillis(Layer layer, long now) {
            double quantile = quantile(arrivals, now);
            if (quantile < 0) {
                return UNKNOWN_MILLIS;
            }
            return switch (layer) {
                case RUNTIME ->
                    RainbowCakePolicy.keepMillis(
                            quantile,
                            start.sandboxSeconds() + start.runtimeSeconds(),
                            start.sandboxGb() + start.runtimeGb(),
                            alpha);
                case SANDBOX ->
                    RainbowCakePolicy.keepMillis(quantile, start.sandboxSeconds(), start.sandboxGb(), alpha);
            };
        }
    }
}
