package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;
import java.util.Arrays;

/**
 * The long-short-term histogram policy of INFless (Yang et al., ASPLOS 2022): the mean of what {@link IdleHistogram}
 * says of the last day and of the last hour. Where one of them is not representative, the other decides alone. The
 * paper gives no lengths of the two; these are ours. Each is kept as two halves, of which the older is dropped when the
 * newer is full.
 *
 * @param minutes length of the histograms
 */
public record LsthPolicy(int minutes) implements WarmPolicy {
    private static final String NAME = "LSTH";
    private static final long LONG_MILLIS = 24 * 3_600_000L;
    private static final long SHORT_MILLIS = 3_600_000L;
    private static final double LONG_WEIGHT = 0.5;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        return new Learner(minutes);
    }

    private static final class Learner extends FunctionLevelPolicy {
        private final Sliding longTerm;
        private final Sliding shortTerm;

        Learner(int minutes) {
            super(NAME);
            longTerm = new Sliding(LONG_MILLIS, minutes);
            shortTerm = new Sliding(SHORT_MILLIS, minutes);
        }

        @Override
        void idle(long millis, long now) {
            longTerm.add(millis, now);
            shortTerm.add(millis, now);
        }

        @Override
        Decision decide(long now) {
            IdleHistogram of24h = longTerm.at(now);
            IdleHistogram of1h = shortTerm.at(now);
            if (!of24h.isRepresentative() && !of1h.isRepresentative()) {
                long whole = (of24h.bins.length - 1) * IdleHistogram.BIN_MILLIS;
                return Decision.of(Window.lasting(now, whole), Reason.NOT_REPRESENTATIVE);
            }
            double weight = !of24h.isRepresentative() ? 0 : of1h.isRepresentative() ? LONG_WEIGHT : 1;
            Window far = of24h.span();
            Window near = of1h.span();
            long from = Math.round(weight * far.from() + (1 - weight) * near.from());
            long until = Math.round(weight * far.until() + (1 - weight) * near.until());
            return Decision.of(new Window(now + from, now + until), Reason.HISTOGRAM);
        }

        @Override
        double[][] parts() {
            return new double[][] {
                longTerm.newer.bins,
                longTerm.older.bins,
                longTerm.began,
                shortTerm.newer.bins,
                shortTerm.older.bins,
                shortTerm.began
            };
        }
    }

    /** The idle times of between half and the whole of a length of time. */
    private static final class Sliding {
        private final long halfMillis;
        private final IdleHistogram newer;
        private final IdleHistogram older;
        private final double[] began = {0};

        Sliding(long millis, int minutes) {
            halfMillis = millis / 2;
            newer = new IdleHistogram(minutes);
            older = new IdleHistogram(minutes);
        }

        void add(long millis, long now) {
            roll(now);
            newer.add(millis);
        }

        IdleHistogram at(long now) {
            roll(now);
            IdleHistogram both = new IdleHistogram(newer.bins.length - 1);
            both.addAll(newer);
            both.addAll(older);
            return both;
        }

        private void roll(long now) {
            double halves = Math.floor((now - began[0]) / halfMillis);
            if (halves >= 1) {
                Arrays.fill(older.bins, 0);
                if (halves < 2) {
                    older.addAll(newer);
                }
                Arrays.fill(newer.bins, 0);
                began[0] += halves * halfMillis;
            }
        }
    }
}
