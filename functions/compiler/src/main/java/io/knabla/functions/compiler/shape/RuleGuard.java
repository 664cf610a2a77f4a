package io.knabla.functions.compiler.shape;

import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Runs a rule on a node that may be malformed: too few inputs, an impossible axis, a stride of 0. Returns a fallback in
 * all these cases, because the engine reports such a node later.
 */
public final class RuleGuard {
    private RuleGuard() {}

    public static <T> T getOrElse(Supplier<T> rule, T otherwise) {
        try {
            return rule.get();
        } catch (ShapeUnknownException
                | IndexOutOfBoundsException
                | NoSuchElementException
                | ArithmeticException
                | IllegalArgumentException
                | NullPointerException unknown) {
            return otherwise;
        }
    }
}
