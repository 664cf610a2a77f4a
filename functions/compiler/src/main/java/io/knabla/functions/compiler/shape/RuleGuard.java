package io.knabla.functions.compiler.shape;

import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Returns the result of a rule, or a given default if the rule throws because its node is malformed or lacks
 * information. A node may have too few inputs, an impossible axis or a stride of 0; the engine reports such a node
 * later.
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
