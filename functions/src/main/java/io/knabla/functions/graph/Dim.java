package io.knabla.functions.graph;

/** One dimension: a size, the model's name for a size, or nothing known. */
public sealed interface Dim {
    Dim UNKNOWN = new Unknown();
    Dim ONE = new Known(1);

    record Known(long size) implements Dim {
        @Override
        public String toString() {
            return Long.toString(size);
        }
    }

    /** Equal names are equal sizes within one run. */
    record Symbol(String name) implements Dim {
        @Override
        public String toString() {
            return name;
        }
    }

    record Unknown() implements Dim {
        @Override
        public String toString() {
            return "?";
        }
    }

    static Dim of(long size) {
        return size < 0 ? UNKNOWN : new Known(size);
    }

    default boolean is(long size) {
        return this instanceof Known known && known.size == size;
    }

    /** The size, or {@code otherwise} where it is not known. */
    default long or(long otherwise) {
        return this instanceof Known known ? known.size : otherwise;
    }

    default boolean known() {
        return this instanceof Known;
    }

    default Dim plus(Dim other) {
        if (this instanceof Known a && other instanceof Known b) {
            return of(saturated(Math.addExact(clamp(a.size), clamp(b.size))));
        }
        return is(0) ? other : other.is(0) ? this : UNKNOWN;
    }

    default Dim times(Dim other) {
        if (this instanceof Known a && other instanceof Known b) {
            long high = Math.multiplyHigh(a.size, b.size);
            return of(high != 0 ? MAX : saturated(a.size * b.size));
        }
        return is(1) ? other : other.is(1) ? this : UNKNOWN;
    }

    /** Rounded down; dividing by nothing answers {@link #UNKNOWN}. */
    default Dim dividedBy(Dim other) {
        if (equals(other) && !(this instanceof Unknown)) {
            return ONE;
        }
        if (this instanceof Known a && other instanceof Known b && b.size != 0) {
            return of(a.size / b.size);
        }
        return other.is(1) ? this : UNKNOWN;
    }

    /** No product of sizes goes beyond this, so that sums of many cannot overflow. */
    long MAX = 1L << 60;

    private static long clamp(long size) {
        return Math.min(size, MAX);
    }

    private static long saturated(long size) {
        return size < 0 || size > MAX ? MAX : size;
    }
}
