package io.knabla.functions.graph.eval;

import java.util.Arrays;

/**
 * What evaluations may cost together, so that no file makes them hang. Work is refused before it is done. Not safe for
 * several threads.
 */
public final class Budget {
    private final long elements;
    private long steps;

    /**
     * @param elements of one result
     * @param steps multiplications or moves, roughly, of all evaluations
     */
    public Budget(long elements, long steps) {
        if (elements < 1 || steps < 1) {
            throw new IllegalArgumentException(
                    "elements and steps must be positive, were %d and %d".formatted(elements, steps));
        }
        this.elements = elements;
        this.steps = steps;
    }

    /** For code that its own author runs. */
    public static Budget unlimited() {
        return new Budget(Integer.MAX_VALUE - 8, Long.MAX_VALUE);
    }

    /** For a model from a stranger: results of at most 64 KiB of FLOAT, about a second of work in all. */
    public static Budget folding() {
        return new Budget(16 * 1024, 200_000_000);
    }

    long elements() {
        return elements;
    }

    /** Takes so many steps, given as a product. */
    void spend(long... factors) {
        long wanted = 1;
        for (long factor : factors) {
            long high = Math.multiplyHigh(wanted, Math.max(1, factor));
            wanted = wanted * Math.max(1, factor);
            if (high != 0 || wanted < 0 || wanted > steps) {
                throw new EvaluationException("it takes more than %,d steps".formatted(steps));
            }
        }
        steps -= wanted;
    }

    /** Dims of a result, checked before anything is allocated. */
    int[] allow(int... dims) {
        int size = Dims.size(dims);
        if (size > elements) {
            throw new EvaluationException(
                    "its result %s has more than %,d elements".formatted(Arrays.toString(dims), elements));
        }
        spend(size);
        return dims;
    }
}
