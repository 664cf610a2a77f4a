package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;

/** Compares two tracked integers symbolically, assuming that symbols are at least 0. */
final class DimComparison {
    private DimComparison() {}

    /** 1, 0 or unknown. */
    static Dim equal(Dim a, Dim b) {
        if (a.fixed() && a.equals(b)) {
            return Dim.ONE;
        }
        return a.exceeds(b) || b.exceeds(a) ? Dim.ZERO : Dim.UNKNOWN;
    }

    static Dim greater(Dim a, Dim b) {
        if (a.exceeds(b)) {
            return Dim.ONE;
        }
        return b.exceeds(a) || a.fixed() && a.equals(b) ? Dim.ZERO : Dim.UNKNOWN;
    }

    static Dim larger(Dim a, Dim b) {
        Dim greater = greater(a, b);
        return greater.is(1) ? a : greater.is(0) || b.exceeds(a) ? b : ordered(a, b, true);
    }

    static Dim smaller(Dim a, Dim b) {
        Dim greater = greater(a, b);
        return greater.is(1) ? b : greater.is(0) ? a : ordered(a, b, false);
    }

    /** A symbol is at least 0 and may equal 0. */
    private static Dim ordered(Dim a, Dim b, boolean larger) {
        if (a.is(0) && b instanceof Dim.Symbol) {
            return larger ? b : a;
        }
        if (b.is(0) && a instanceof Dim.Symbol) {
            return larger ? a : b;
        }
        return Dim.UNKNOWN;
    }
}
