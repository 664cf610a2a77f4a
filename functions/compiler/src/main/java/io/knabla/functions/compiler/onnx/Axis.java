package io.knabla.functions.compiler.onnx;

import java.util.OptionalInt;

/** Counts an axis or an index from the front; ONNX counts a negative one from the back. */
public final class Axis {
    private Axis() {}

    /** Does not check the bounds. */
    public static long fromFront(long axis, long rank) {
        return axis < 0 ? axis + rank : axis;
    }

    public static int fromFront(int axis, int rank) {
        return axis < 0 ? axis + rank : axis;
    }

    /** Empty unless it is one of {@code rank} axes. */
    public static OptionalInt within(long axis, int rank) {
        long counted = fromFront(axis, rank);
        return counted < 0 || counted >= rank ? OptionalInt.empty() : OptionalInt.of((int) counted);
    }
}
