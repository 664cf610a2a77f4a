package io.knabla.runtime.json;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** All numbers of one JSON document, as doubles, with the exact value of large integers beside. */
public final class NumberList {
    /** Above this, a double does not represent every integer. */
    private static final long EXACT = 1L << 53;

    private double[] values = new double[64];
    private int size;

    /** Integers that a double may not represent exactly, by index. */
    private final Map<Integer, Long> exact = new HashMap<>();

    int size() {
        return size;
    }

    void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, Math.multiplyExact(size, 2));
        }
        values[size++] = value;
    }

    /** @param value the integer; its lower 64 bits if it is above the largest long */
    void add(long value, double near) {
        if (value > EXACT || value < -EXACT) {
            exact.put(size, value);
        }
        add(near);
    }

    public double real(int at) {
        return values[at];
    }

    /** The integer at this index; its lower 64 bits if {@link #real} is above the largest long. */
    public long integer(int at) {
        Long big = exact.isEmpty() ? null : exact.get(at);
        return big == null ? (long) values[at] : big;
    }
}
