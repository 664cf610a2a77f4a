package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;

/**
 * The hybrid histogram policy of "Serverless in the Wild" (Shahrad et al., ATC 2020): percentiles of the idle times if
 * their histogram is representative, a forecast of the time series if most are longer than the histogram, else a
 * replica is kept for the histogram's length.
 *
 * @param minutes length of the histogram: 240 in the paper
 */
public record HybridPolicy(int minutes) implements WarmPolicy {
    public static final int MINUTES = 240;

    private static final String NAME = "Hybrid";
    private static final int SERIES = 32;

    /** The paper gives no number; two independent rebuilds use it. */
    private static final double MOSTLY_OUT_OF_BOUNDS = 0.5;

    private static final double BEFORE_FORECAST = 0.85;
    private static final double AFTER_FORECAST = 1.15;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        return new Learner(minutes);
    }

    private static final class Learner extends FunctionLevelPolicy {
        private final IdleHistogram histogram;
        private final RecentTimes series = new RecentTimes(SERIES);

        Learner(int minutes) {
            super(NAME);
            histogram = new IdleHistogram(minutes);
        }

        @Override
        void idle(long millis, long now) {
            histogram.add(millis);
            series.add(millis);
        }

        @Override
        Decision decide(long now) {
            double count = histogram.count();
            if (count >= IdleHistogram.FEWEST && histogram.outOfBounds() > MOSTLY_OUT_OF_BOUNDS * count) {
                double next = SmoothedForecast.next(series.oldestFirst());
                long from = now + Math.round(BEFORE_FORECAST * next);
                return Decision.of(new Window(from, now + Math.round(AFTER_FORECAST * next)), Reason.OUT_OF_BOUNDS);
            }
            if (!histogram.isRepresentative()) {
                long whole = (histogram.bins.length - 1) * IdleHistogram.BIN_MILLIS;
                return Decision.of(
                        Window.lasting(now, whole),
                        count < IdleHistogram.FEWEST ? Reason.TOO_FEW_OBSERVATIONS : Reason.NOT_REPRESENTATIVE);
            }
            Window span = histogram.span();
            return Decision.of(new Window(now + span.from(), now + span.until()), Reason.HISTOGRAM);
        }

        @Override
        double[][] parts() {
            return new double[][] {histogram.bins, series.values};
        }
    }
}
