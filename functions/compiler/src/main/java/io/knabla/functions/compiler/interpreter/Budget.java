package io.knabla.functions.compiler.interpreter;

import java.util.Arrays;

/**
 * Limits the total cost of evaluations, because an untrusted model could otherwise hang them. Rejects work before it is
 * done. Not thread-safe.
 */
public final class Budget {
    private final long elements;
    private long steps;

    /**
     * @param elements maximum number of elements of one result
     * @param steps approximate number of multiplications or moves that all evaluations may take
     */
    public Budget(long elements, long steps) {
        if (elements < 1 || steps < 1) {
            throw new IllegalArgumentException(
                    "elements and steps must be positive, were %d and %d".formatted(elements, steps));
        }
        this.elements = elements;
        this.steps = steps;
    }

    /** For trusted code: no limit. */
    public static Budget unlimited() {
        return new Budget(Integer.MAX_VALUE - 8, Long.MAX_VALUE);
    }

    /** For untrusted models: results of at most 64 KiB of FLOAT, about a second of work in total. */
    public static Budget folding() {
        return new Budget(16 * 1024, 200_000_000);
    }

    long elements() {
        return elements;
    }

    /** Spends a number of steps, given as a product of factors. */
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

    /** Checks the dims of a result before its allocation, spends one step per element and returns them. */
    int[] checkedDims(int... dims) {
        int size = Dims.size(dims);
        if (size > elements) {
            throw new EvaluationException(
                    "its result %s has more than %,d elements".formatted(Arrays.toString(dims), elements));
        }
        spend(size);
        return dims;
    }
}
