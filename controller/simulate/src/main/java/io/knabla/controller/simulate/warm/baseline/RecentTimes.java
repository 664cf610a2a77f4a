package io.knabla.controller.simulate.warm.baseline;

import java.util.Arrays;

/** The latest of a series of numbers, a bounded count of them. */
final class RecentTimes {
    /** The count so far, then the numbers in a ring. */
    final double[] values;

    RecentTimes(int most) {
        values = new double[most + 1];
    }

    void add(double value) {
        values[1 + (int) (values[0] % (values.length - 1))] = value;
        values[0]++;
    }

    int size() {
        return (int) Math.min(values[0], values.length - 1);
    }

    /** The oldest first. */
    double[] oldestFirst() {
        int size = size();
        double[] ordered = new double[size];
        long first = (long) values[0] - size;
        for (int i = 0; i < size; i++) {
            ordered[i] = values[1 + (int) ((first + i) % (values.length - 1))];
        }
        return ordered;
    }

    double[] sorted() {
        double[] sorted = Arrays.copyOfRange(values, 1, 1 + size());
        Arrays.sort(sorted);
        return sorted;
    }
}
