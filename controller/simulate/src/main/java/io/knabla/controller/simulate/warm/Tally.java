package io.knabla.controller.simulate.warm;

import java.util.Arrays;

/** Counts of one function's replay. */
final class Tally {
    long requests;
    long cold;
    long scaleOut;
    long refused;
    long preWarms;
    long preWarmsUsed;
    double keptGbSeconds;
    double preWarmedUsedGbSeconds;
    double preWarmedUnusedGbSeconds;
    double layerGbSeconds;
    double busyGbSeconds;
    double startingGbSeconds;
    private double[] waits = new double[8];
    private int waiting;

    /** A request met a start; counts nothing while policies only learn. */
    void coldStart(double seconds, boolean measured) {
        if (measured) {
            cold++;
            waited(seconds);
        }
    }

    private void waited(double seconds) {
        if (waiting == waits.length) {
            waits = Arrays.copyOf(waits, 2 * waiting);
        }
        waits[waiting++] = seconds;
    }

    double[] waits() {
        return Arrays.copyOf(waits, waiting);
    }

    double waitSeconds() {
        return Arrays.stream(waits()).sum();
    }

    double wastedGbSeconds() {
        return keptGbSeconds + preWarmedUsedGbSeconds + preWarmedUnusedGbSeconds + layerGbSeconds;
    }
}
