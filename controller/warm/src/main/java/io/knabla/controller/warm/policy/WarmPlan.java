package io.knabla.controller.warm.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the windows of the least expected cost for a forecast of the next request, by dynamic programming from the last
 * cell back: in each cell a replica is either kept, which costs the seconds that it waits there, or not, which costs a
 * cold start if the request comes there. A start ahead of the request costs the seconds that it takes. All costs are in
 * seconds of the replica's memory.
 */
final class WarmPlan {
    private static final int MOST_WINDOWS = 8;

    private WarmPlan() {}

    /**
     * @param forecast probability of each {@link LogTime} cell; what is left to 1 is never
     * @param leastCell the cell of the present time since the idle began; the replica is still kept
     * @param coldSeconds seconds of memory that a cold start is worth
     * @param loadSeconds seconds of memory that a start ahead of the request takes
     * @return windows in seconds since the idle began, as pairs of begin and end
     */
    static List<double[]> of(double[] forecast, int leastCell, double coldSeconds, double loadSeconds) {
        boolean[] stay = new boolean[LogTime.CELLS];
        boolean[] enter = new boolean[LogTime.CELLS];
        double survival = 1 - Arrays.stream(forecast, leastCell, LogTime.CELLS).sum();
        double kept = 0;
        double absent = 0;
        for (int cell = LogTime.CELLS - 1; cell >= leastCell; cell--) {
            double comes = forecast[cell];
            double keeping = LogTime.width(cell) * (survival + comes / 2) + kept;
            double missing = coldSeconds * comes + absent;
            survival += comes;
            stay[cell] = keeping < missing;
            enter[cell] = keeping + loadSeconds * survival < missing;
            kept = Math.min(keeping, missing);
            absent = Math.min(keeping + loadSeconds * survival, missing);
        }
        return windows(stay, enter, leastCell);
    }

    private static List<double[]> windows(boolean[] stay, boolean[] enter, int leastCell) {
        List<double[]> windows = new ArrayList<>();
        boolean warm = true;
        double begin = LogTime.begin(leastCell);
        for (int cell = leastCell; cell < LogTime.CELLS && windows.size() < MOST_WINDOWS; cell++) {
            boolean next = warm ? stay[cell] : enter[cell];
            if (warm && !next && LogTime.begin(cell) > begin) {
                windows.add(new double[] {begin, LogTime.begin(cell)});
            } else if (!warm && next) {
                begin = LogTime.begin(cell);
            }
            warm = next;
        }
        if (warm && windows.size() < MOST_WINDOWS) {
            windows.add(new double[] {begin, LogTime.begin(LogTime.CELLS)});
        }
        return windows;
    }
}
