package io.knabla.functions.graph.eval;

/**
 * What one evaluation may cost, so that no file makes it hang.
 *
 * @param elements of one result
 * @param steps multiplications or moves, roughly
 */
public record Bounds(long elements, long steps) {
    /** For code that its own author runs. */
    public static final Bounds WIDE = new Bounds(Integer.MAX_VALUE - 8, Long.MAX_VALUE);

    /** For models from strangers: results of at most 64 KiB of FLOAT, some milliseconds of work. */
    public static final Bounds FOLDING = new Bounds(16 * 1024, 4_000_000);

    public Bounds {
        if (elements < 1 || steps < 1) {
            throw new IllegalArgumentException(
                    "elements and steps must be positive, were %d and %d"
                            .formatted(elements, steps));
        }
    }
}
