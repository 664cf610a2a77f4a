package io.knabla.controller.warm.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Weighs what a cold start costs its caller against what memory costs until the next request: forecasts the idle time
 * of each replica ({@link IdleForecast}) and keeps or starts it when that is the cheaper ({@link WarmPlan}).
 *
 * @param coldStartCost USD that a second of waiting for a start is worth avoiding
 * @param usdPerGbSecond price of the memory
 */
public record AdaptivePolicy(double coldStartCost, double usdPerGbSecond) implements WarmPolicy {
    /** A caller's hour is worth 3.60 USD. */
    public static final double COLD_START_COST = 0.001;

    /** What memory costs where nothing else is known: an m6i.large in us-east-1 on demand, 0.096 USD/h for 8 GiB. */
    public static final double USD_PER_GB_SECOND = 0.096 / 3600 / 8.589934592;

    private static final String NAME = "Adaptive";

    /** Replicas beyond share what the last of these learned. */
    private static final int MOST_FORECASTS = 8;

    /** Share of a cold start's worth that an idle replica may cost before anything is decided. */
    private static final double UNDECIDED = 1.0 / 256;

    public AdaptivePolicy {
        if (!(coldStartCost >= 0) || !(usdPerGbSecond > 0)) {
            throw new IllegalArgumentException("coldStartCost must not be negative, and memory must have a price");
        }
    }

    public static AdaptivePolicy worth(double coldStartCost) {
        return new AdaptivePolicy(coldStartCost, USD_PER_GB_SECOND);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        StartCost start = profile.start();
        return new Learner(coldStartCost * start.seconds() / (usdPerGbSecond * start.gb()), start.seconds());
    }

    private static final class Learner implements FunctionPolicy {
        private final double coldSeconds;
        private final double loadSeconds;
        private final int leastCell;
        private final List<IdleForecast> forecasts = new ArrayList<>();
        private double[] lastEnd = {};

        /** @param coldSeconds seconds of the replica's memory that a cold start is worth */
        Learner(double coldSeconds, double loadSeconds) {
            this.coldSeconds = coldSeconds;
            this.loadSeconds = loadSeconds;
            this.leastCell = LogTime.cell(UNDECIDED * coldSeconds);
        }

        @Override
        public long minimumKeepMillis() {
            return coldSeconds < 1 ? 0 : Math.round(1e3 * LogTime.begin(leastCell));
        }

        @Override
        public void started(int replica, long now) {
            int known = known(replica);
            double end = lastEnd[known];
            if (end >= 0 && now - end > minimumKeepMillis()) {
                forecasts.get(known).observe((now - end) / 1e3, secondOfDay(end), leastCell);
            } else if (end >= 0) {
                forecasts.get(known).observeShort();
            }
            lastEnd[known] = -1;
        }

        @Override
        public void ended(int replica, long now) {
            lastEnd[known(replica)] = now;
        }

        @Override
        public Decision decide(int replica, long now) {
            if (coldSeconds < 1) {
                return Decision.release(Reason.NOT_WORTH_KEEPING);
            }
            int known = known(replica);
            long idleSince = now - minimumKeepMillis();
            double[] forecast = forecasts.get(known).cells(secondOfDay(idleSince), leastCell);
            List<Window> windows = new ArrayList<>();
            for (double[] window : WarmPlan.of(forecast, leastCell, coldSeconds, loadSeconds)) {
                long from = Math.max(now, idleSince + Math.round(1e3 * window[0]));
                windows.add(new Window(from, Math.max(from, idleSince + Math.round(1e3 * window[1]))));
            }
            return new Decision(windows, reason(windows, now));
        }

        private static Reason reason(List<Window> windows, long now) {
            if (windows.isEmpty()) {
                return Reason.NOT_WORTH_KEEPING;
            }
            return windows.getFirst().from() <= now && windows.size() == 1
                    ? Reason.WORTH_KEEPING
                    : Reason.WORTH_PRE_WARMING;
        }

        @Override
        public boolean hasLearned() {
            return forecasts.stream().anyMatch(IdleForecast::isProven);
        }

        private static double secondOfDay(double millis) {
            return Math.floorMod((long) millis, 86_400_000L) / 1e3;
        }

        private int known(int replica) {
            int known = Math.min(replica, MOST_FORECASTS - 1);
            while (forecasts.size() <= known) {
                forecasts.add(new IdleForecast());
                lastEnd = Arrays.copyOf(lastEnd, forecasts.size());
                lastEnd[forecasts.size() - 1] = -1;
            }
            return known;
        }

        @Override
        public SavedState state() {
            return SavedState.of(NAME, parts());
        }

        @Override
        public boolean restore(SavedState state) {
            int each = SavedState.of(NAME, new IdleForecast().parts()).values().length + 1;
            int count = state.values().length / each;
            if (count > MOST_FORECASTS) {
                return false;
            }
            Learner other = new Learner(coldSeconds, loadSeconds);
            if (count > 0) {
                other.known(count - 1);
            }
            if (!state.restore(NAME, other.parts())) {
                return false;
            }
            forecasts.clear();
            forecasts.addAll(other.forecasts);
            lastEnd = other.lastEnd;
            return true;
        }

        private double[][] parts() {
            List<double[]> parts = new ArrayList<>();
            if (!forecasts.isEmpty()) {
                parts.add(lastEnd);
            }
            forecasts.forEach(forecast -> parts.addAll(Arrays.asList(forecast.parts())));
            return parts.toArray(double[][]::new);
        }
    }
}
