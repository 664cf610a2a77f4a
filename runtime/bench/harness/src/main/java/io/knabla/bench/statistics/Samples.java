package io.knabla.bench.statistics;

import java.util.Arrays;
import java.util.Collection;

/** A non-empty set of measurements of one quantity. */
public record Samples(double[] values) {
    public Samples {
        if (values.length == 0) {
            throw new IllegalArgumentException("no measurement: nothing to summarise");
        }
        values = values.clone();
    }

    public static Samples of(Collection<Double> values) {
        return new Samples(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** The middle value, or the mean of the two middle ones. */
    public double median() {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    public double min() {
        return Arrays.stream(values).min().orElseThrow();
    }

    public double max() {
        return Arrays.stream(values).max().orElseThrow();
    }
}
