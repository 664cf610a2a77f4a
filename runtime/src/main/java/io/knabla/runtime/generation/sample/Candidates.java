package io.knabla.runtime.generation.sample;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Tokens that may be chosen, each with a weight. They are selected, never sorted: a vocabulary has up to 256k. Used for
 * one choice after the other, for their memory is as large as a vocabulary.
 */
public final class Candidates {
    /** Tokens with a lower logarithm, relative to the greatest, have a total probability below 1e-12. */
    private static final double NEGLIGIBLE = -40;

    /** Most texts are greedy and need no more. */
    private static final int FIRST_ROOM = 64;

    private int[] ids = new int[FIRST_ROOM];
    private double[] weights = new double[FIRST_ROOM];
    private int size;

    /**
     * Starts anew, with the weights of a softmax, of which the greatest is 1.
     *
     * @param greatest of the logits, finite
     * @param temperature above 0
     */
    void fill(float[] logits, float greatest, double temperature) {
        size = 0;
        for (int id = 0; id < logits.length; id++) {
            double exponent = (logits[id] - (double) greatest) / temperature;
            if (exponent >= NEGLIGIBLE) {
                add(id, Math.exp(exponent));
            }
        }
    }

    private void add(int id, double weight) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
            weights = Arrays.copyOf(weights, 2 * size);
        }
        ids[size] = id;
        weights[size++] = weight;
    }

    int size() {
        return size;
    }

    /** A token by its place, of 0 to less than {@link #size}. */
    int id(int at) {
        return ids[at];
    }

    /** Keeps so many of the greatest; of equal ones those with the lower ids. */
    void keepGreatest(int count) {
        if (count < size) {
            keep(count, _ -> 1);
        }
    }

    /** Keeps the fewest of the greatest whose weights sum to this share of all. */
    void keepShare(double share) {
        if (share < 1) {
            keep(share * sum(), weight -> weight);
        }
    }

    /** Keeps those of at least this share of the greatest weight. */
    void keepAtLeast(double share) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (weights[i] >= share) {
                swap(kept++, i);
            }
        }
        size = kept;
    }

    /** Keeps the first ones, in descending order, whose measures sum to the amount: a quickselect. */
    private void keep(double amount, DoubleUnaryOperator measure) {
        int from = 0;
        int to = size;
        double missing = amount;
        while (from < to) {
            int pivot = partition(from, to);
            double before = sum(from, pivot, measure);
            double withPivot = before + measure.applyAsDouble(weights[pivot]);
            if (before >= missing && pivot > from) {
                to = pivot;
            } else if (withPivot >= missing) {
                to = pivot + 1;
                from = to;
            } else {
                missing -= withPivot;
                from = pivot + 1;
            }
        }
        size = to;
    }

    /** Moves those that precede the middle one before it; its new index. */
    private int partition(int from, int to) {
        int last = to - 1;
        swap((from + last) >>> 1, last);
        int next = from;
        for (int i = from; i < last; i++) {
            if (precedes(i, last)) {
                swap(next++, i);
            }
        }
        swap(next, last);
        return next;
    }

    private boolean precedes(int a, int b) {
        return weights[a] > weights[b] || weights[a] == weights[b] && ids[a] < ids[b];
    }

    private void swap(int a, int b) {
        int id = ids[a];
        ids[a] = ids[b];
        ids[b] = id;
        double weight = weights[a];
        weights[a] = weights[b];
        weights[b] = weight;
    }

    private double sum(int from, int to, DoubleUnaryOperator measure) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += measure.applyAsDouble(weights[i]);
        }
        return sum;
    }

    private double sum() {
        return sum(0, size, weight -> weight);
    }

    /**
     * The token at a point of the sum of weights.
     *
     * @param point 0 to 1, without 1
     */
    int at(double point) {
        double missing = point * sum();
        for (int i = 0; i < size - 1; i++) {
            missing -= weights[i];
            if (missing < 0) {
                return ids[i];
            }
        }
        return ids[size - 1];
    }
}
