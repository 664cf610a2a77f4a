package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Decision;
import io.knabla.controller.warm.policy.FunctionPolicy;
import io.knabla.controller.warm.policy.FunctionProfile;
import io.knabla.controller.warm.policy.Reason;
import io.knabla.controller.warm.policy.WarmPolicy;
import io.knabla.controller.warm.policy.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Classes of idle times like those of SPES (ICDE 2024), learned while the function runs and not from twelve days
 * before: a class says when the next request is expected, and a replica is ready from some minutes before to some
 * after. The class of functions that follow another one is left out.
 *
 * @param marginMinutes on both sides of an expected minute: 2 in the paper's code
 */
public record SpesPolicy(int marginMinutes) implements WarmPolicy {
    public static final int MARGIN_MINUTES = 2;

    private static final String NAME = "SPES";
    private static final int SERIES = 64;
    private static final int FEWEST = 5;
    private static final double MINUTE = 60_000;
    private static final int DENSE_MINUTES = 5;
    private static final int PULSED_MINUTES = 3;
    private static final int GIVE_UP_MINUTES = 1;
    private static final int MODES = 5;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public FunctionPolicy forFunction(FunctionProfile profile) {
        return new Learner(marginMinutes);
    }

    private static final class Learner extends FunctionLevelPolicy {
        private final int margin;

        /** Whole minutes of idleness that are not 0. */
        private final RecentTimes idles = new RecentTimes(SERIES);

        /** Whole minutes of activity between them. */
        private final RecentTimes runs = new RecentTimes(SERIES);

        private final double[] runBegan = {-1};

        Learner(int margin) {
            super(NAME);
            this.margin = margin;
        }

        @Override
        void idle(long millis, long now) {
            if (millis >= MINUTE) {
                idles.add(Math.floor(millis / MINUTE));
                runs.add(runBegan[0] < 0 ? 1 : Math.ceil((now - millis - runBegan[0]) / MINUTE));
                runBegan[0] = now;
            } else if (runBegan[0] < 0) {
                runBegan[0] = now;
            }
        }

        @Override
        Decision decide(long now) {
            double[] sorted = idles.sorted();
            if (sorted.length < FEWEST) {
                return keep(now, PULSED_MINUTES, Reason.TOO_FEW_OBSERVATIONS);
            }
            double idle = Arrays.stream(sorted).sum();
            double busy = Arrays.stream(runs.sorted()).sum();
            if (idle < 0.001 * (idle + busy)) {
                return Decision.of(new Window(now, Window.FOREVER), Reason.ALWAYS_BUSY);
            }
            List<Integer> modes = modes(sorted);
            if (at(sorted, 0.95) - at(sorted, 0.05) < 1 || variation(sorted) <= 0.01) {
                return expect(now, List.of((int) at(sorted, 0.5)), Reason.REGULAR);
            }
            if (covered(sorted, modes.subList(0, Math.min(3, modes.size()))) >= 0.9) {
                return expect(now, modes.subList(0, Math.min(3, modes.size())), Reason.NEARLY_REGULAR);
            }
            if (at(sorted, 0.9) <= DENSE_MINUTES) {
                return keep(now, DENSE_MINUTES, Reason.DENSE);
            }
            if (runs.sorted()[0] >= 10) {
                return keep(now, GIVE_UP_MINUTES, Reason.SUCCESSIVE);
            }
            return pulsedCosts(sorted) <= possibleCosts(sorted, modes)
                    ? keep(now, PULSED_MINUTES, Reason.PULSED)
                    : expect(now, modes, Reason.POSSIBLE);
        }

        private static Decision keep(long now, int minutes, Reason reason) {
            return Decision.of(Window.lasting(now, Math.round(minutes * MINUTE)), reason);
        }

        private Decision expect(long now, List<Integer> minutes, Reason reason) {
            List<Window> windows = new ArrayList<>(List.of(Window.lasting(now, Math.round(GIVE_UP_MINUTES * MINUTE))));
            for (int minute : minutes.stream().sorted().toList()) {
                long from = now + Math.round((minute - margin) * MINUTE);
                long until = now + Math.round((minute + 1 + margin) * MINUTE);
                Window last = windows.getLast();
                if (from <= last.until()) {
                    windows.set(windows.size() - 1, new Window(last.from(), Math.max(until, last.until())));
                } else {
                    windows.add(new Window(from, until));
                }
            }
            return new Decision(windows, reason);
        }

        /** Half the share of cold starts, and half the wasted minutes per idle one. */
        private static double pulsedCosts(double[] idles) {
            double cold =
                    Arrays.stream(idles).filter(idle -> idle >= PULSED_MINUTES).count();
            double wasted = Arrays.stream(idles)
                    .map(idle -> Math.min(idle, PULSED_MINUTES))
                    .sum();
            return 0.5 * cold / idles.length
                    + 0.5 * wasted / Arrays.stream(idles).sum();
        }

        private double possibleCosts(double[] idles, List<Integer> modes) {
            double cold = idles.length * (1 - covered(idles, modes));
            double wasted = 0;
            for (double idle : idles) {
                wasted += GIVE_UP_MINUTES;
                for (int mode : modes) {
                    wasted += Math.clamp(idle - (mode - margin), 0, 2 * margin + 1);
                }
            }
            return 0.5 * cold / idles.length
                    + 0.5 * wasted / Arrays.stream(idles).sum();
        }

        /** Share of the idle times that are within the margin of one of these. */
        private double covered(double[] idles, List<Integer> minutes) {
            return Arrays.stream(idles)
                            .filter(idle -> minutes.stream().anyMatch(minute -> Math.abs(idle - minute) <= margin))
                            .count()
                    / (double) idles.length;
        }

        /** The most frequent idle times, at most five. */
        private static List<Integer> modes(double[] idles) {
            Map<Integer, Long> counts = Arrays.stream(idles)
                    .mapToObj(idle -> (int) idle)
                    .collect(Collectors.groupingBy(idle -> idle, TreeMap::new, Collectors.counting()));
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<Integer, Long>comparingByValue().reversed())
                    .limit(MODES)
                    .map(Map.Entry::getKey)
                    .toList();
        }

        private static double at(double[] sorted, double quantile) {
            return sorted[(int) Math.round(quantile * (sorted.length - 1))];
        }

        private static double variation(double[] idles) {
            double mean = Arrays.stream(idles).average().orElseThrow();
            double squares =
                    Arrays.stream(idles).map(idle -> idle * idle).average().orElseThrow();
            return Math.sqrt(Math.max(0, squares - mean * mean)) / mean;
        }

        @Override
        double[][] parts() {
            return new double[][] {idles.values, runs.values, runBegan};
        }
    }
}
