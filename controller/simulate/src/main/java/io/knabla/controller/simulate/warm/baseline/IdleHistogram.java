package io.knabla.controller.simulate.warm.baseline;

import io.knabla.controller.warm.policy.Window;
import java.util.Arrays;

/** Counts of idle times in bins of one minute, as in "Serverless in the Wild" (Shahrad et al., ATC 2020). */
final class IdleHistogram {
    static final long BIN_MILLIS = 60_000;
    private static final double HEAD = 0.05;
    private static final double TAIL = 0.99;
    private static final double HEAD_MARGIN = 0.9;
    private static final double TAIL_MARGIN = 1.1;

    /** Below, no bin stands out, and the percentiles say little. */
    private static final double REPRESENTATIVE_VARIATION = 2;

    /** The paper gives no number; two independent rebuilds use it. */
    static final int FEWEST = 10;

    /** The last one counts what is longer than all others. */
    final double[] bins;

    IdleHistogram(int minutes) {
        bins = new double[minutes + 1];
    }

    void add(long millis) {
        bins[(int) Math.min(millis / BIN_MILLIS, bins.length - 1)]++;
    }

    void addAll(IdleHistogram other) {
        for (int i = 0; i < bins.length; i++) {
            bins[i] += other.bins[i];
        }
    }

    double count() {
        return Arrays.stream(bins).sum();
    }

    double outOfBounds() {
        return bins[bins.length - 1];
    }

    boolean isRepresentative() {
        return count() >= FEWEST && variation() >= REPRESENTATIVE_VARIATION;
    }

    /** Coefficient of variation of the counts, not of the idle times; 0 without counts in bounds. */
    double variation() {
        int inBounds = bins.length - 1;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < inBounds; i++) {
            sum += bins[i];
            squares += bins[i] * bins[i];
        }
        double mean = sum / inBounds;
        return sum == 0 ? 0 : Math.sqrt(Math.max(0, squares / inBounds - mean * mean)) / mean;
    }

    /** After the idle begin: from the 5th percentile, rounded down, less 10 %, to the 99th, rounded up, and 10 %. */
    Window span() {
        long head = percentileBin(HEAD);
        long tail = percentileBin(TAIL) + 1;
        return new Window(Math.round(HEAD_MARGIN * head * BIN_MILLIS), Math.round(TAIL_MARGIN * tail * BIN_MILLIS));
    }

    private int percentileBin(double share) {
        double inBounds = count() - outOfBounds();
        double seen = 0;
        for (int bin = 0; bin < bins.length - 1; bin++) {
            seen += bins[bin];
            if (seen >= share * inBounds) {
                return bin;
            }
        }
        return bins.length - 2;
    }
}
