package io.knabla.controller.simulate.warm;

import java.util.Arrays;

/** Quantiles of samples. */
final class Quantiles {
    private Quantiles() {}

    /** Between neighbours by linear interpolation; 0 of no sample. */
    static double of(double[] samples, double quantile) {
        if (samples.length == 0) {
            return 0;
        }
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        double at = quantile * (sorted.length - 1);
        int low = (int) at;
        int high = Math.min(low + 1, sorted.length - 1);
        return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
    }
}
