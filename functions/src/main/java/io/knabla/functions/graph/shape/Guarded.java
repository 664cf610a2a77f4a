package io.knabla.functions.graph.shape;

import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Runs a rule on a node that may be malformed: too few inputs, an impossible axis, a stride of nothing. All of that is
 * simply unknown; the engine says later what it thinks of such a node.
 */
public final class Guarded {
    private Guarded() {}

    public static <T> T get(Supplier<T> rule, T otherwise) {
        try {
            return rule.get();
        } catch (ShapeUnknown
                | IndexOutOfBoundsException
                | NoSuchElementException
                | ArithmeticException
                | IllegalArgumentException
                | NullPointerException unknown) {
            return otherwise;
        }
    }
}
