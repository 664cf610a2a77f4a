package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Dim.Known;

/** Computes how many elements a slice takes from one axis. */
final class Slicing {
    /** Exporters write such ends for "to the end"; no axis is that long. */
    private static final long BEYOND = Integer.MAX_VALUE;

    private Slicing() {}

    /**
     * Exact for numbers. A slice between symbolic bounds is assumed to lie within its data, because a model would
     * hardly work otherwise; a slice of a symbolic size by a number stays unknown.
     */
    static Dim length(Dim size, Dim start, Dim end, long step) {
        if (step == 0) {
            throw ShapeUnknownException.INSTANCE;
        }
        if (size instanceof Known(var n) && start instanceof Known(var from) && end instanceof Known(var to)) {
            return new Known(count(n, from, to, step));
        }
        if (step < 0) {
            boolean all = start.is(-1) && end.or(0) <= -BEYOND;
            return all ? size.ceilDividedBy(new Known(-step)) : Dim.UNKNOWN;
        }
        Dim first = start.or(0) > 0 && size.known() ? start : place(size, start);
        Dim last = end.or(0) >= BEYOND ? size : limited(size, place(size, end));
        Dim length = last.minus(first).ceilDividedBy(new Known(step));
        return length.or(0) < 0 ? Dim.ZERO : length;
    }

    /** Length for a step and bounds that may lie outside the axis or count from its end. */
    static long count(long n, long from, long to, long step) {
        long last = bounded(n, to, step);
        return Math.max(0, Math.ceilDiv(last - bounded(n, from, step), step));
    }

    /** Position of the first element of a slice. */
    static int first(long n, long from, long step) {
        return (int) bounded(n, from, step);
    }

    private static long bounded(long n, long at, long step) {
        long low = step > 0 ? 0 : -1;
        long high = Math.max(low, step > 0 ? n : n - 1);
        return Math.clamp(Axis.fromFront(at, n), low, high);
    }

    private static Dim place(Dim size, Dim at) {
        boolean fromTheEnd = Dim.ZERO.exceeds(at);
        return fromTheEnd ? size.plus(at) : at;
    }

    private static Dim limited(Dim size, Dim end) {
        if (end.exceeds(size)) {
            return size;
        }
        boolean within = !end.known() || size.equals(end) || size.exceeds(end);
        return within ? end : Dim.UNKNOWN;
    }
}
