package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import java.util.Arrays;

/**
 * Limits the size of constants that differentiation rules create: a few bytes of attributes can ask for a constant of
 * any size.
 */
final class GeneratedConstant {
    /** 32 MiB of doubles. */
    static final long MAX_ELEMENTS = 1 << 22;

    private GeneratedConstant() {}

    /**
     * Returns the number of elements of a constant with these dimensions.
     *
     * @throws UnsupportedOperatorException if there are more than {@link #MAX_ELEMENTS}
     */
    static int elements(String what, long... dims) {
        long count = 1;
        for (long dim : dims) {
            if (dim > MAX_ELEMENTS / Math.max(1, count)) {
                throw new UnsupportedOperatorException(
                        "needs for its gradient %s of the shape %s; at most %,d elements are generated"
                                .formatted(what, Arrays.toString(dims), MAX_ELEMENTS));
            }
            count *= Math.max(0, dim);
        }
        return (int) count;
    }
}
