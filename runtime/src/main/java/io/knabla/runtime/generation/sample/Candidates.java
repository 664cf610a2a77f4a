package io.knabla.runtime.generation.sample;

import java.util.Arrays;

/**
 * Tokens that may be chosen, each with a weight. They are selected, never sorted: a vocabulary has up to 256k. Used for
 * one choice after the other, for their memory is as large as a vocabulary.
 */
public final class Candidates {
    /** Tokens with a lower logarithm, relative to the greatest, have a total probability below 1e-7. */
    private static final double NEGLIGIBLE = -30;

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

    /**
     * Starts anew, with the greatest alone; of equal ones those with the lower ids. Otherwise like {@link #fill}.
     *
     * @param count 1 or more
     */
    void fillGreatest(int count, float[] logits, float greatest, double temperature) {
        size = 0;
        for (int id = 0; id < logits.length; id++) {
            // An excluded token is no candidate, also if there are too few others.
            if (size < count && logits[id] != Float.NEGATIVE_INFINITY) {
                add(id, logits[id]);
                rise(size - 1);
            } else if (size == count && logits[id] > weights[0]) {
                ids[0] = id;
                weights[0] = logits[id];
                sink();
            }
        }
        for (int i = 0; i < size; i++) {
            weights[i] = Math.exp((weights[i] - greatest) / temperature);
        }
    }

    /** Restores the heap, whose first one precedes none, after its last one was added. */
    private void rise(int last) {
        int at = last;
        while (at > 0 && precedes((at - 1) / 2, at)) {
            swap((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
    }

    /** Restores the heap after its first one was replaced. */
    private void sink() {
        int at = 0;
        int child = 1;
        while (child < size) {
            child += child + 1 < size && precedes(child, child + 1) ? 1 : 0;
            if (!precedes(at, child)) {
                return;
            }
            swap(at, child);
            at = child;
            child = 2 * at + 1;
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

    /**
     * Keeps the fewest of the greatest whose weights sum to this share of all: a quickselect. Of equal ones it takes
     * those with the lower ids first.
     */
    void keepShare(double share) {
        if (share == 1) {
            return;
        }
        double all = sum(0, size);
        // Those below sum to less than what the share leaves, so they are not needed for it.
        keepAtLeast((1 - share) * all / size);
        int from = 0;
        int to = size;
        double missing = share * all;
        while (from < to) {
            int pivot = partition(from, to);
            double before = sum(from, pivot);
            double withPivot = before + weights[pivot];
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

    /** Keeps those of at least this weight. */
    void keepAtLeast(double weight) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (weights[i] >= weight) {
                ids[kept] = ids[i];
                weights[kept++] = weights[i];
            }
        }
        size = kept;
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

    private double sum(int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += weights[i];
        }
        return sum;
    }

    /**
     * The token at a point of the sum of weights.
     *
     * @param point 0 to 1, without 1
     */
    int at(double point) {
        double missing = point * sum(0, size);
        for (int i = 0; i < size - 1; i++) {
            missing -= weights[i];
            if (missing < 0) {
                return ids[i];
            }
        }
        return ids[size - 1];
    }
}
