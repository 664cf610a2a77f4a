package io.knabla.functions.compiler.optimize.algebra;

import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;

/** Compares static shapes, which hold for every call. */
final class StaticShapes {
    private StaticShapes() {}

    static boolean same(Value a, Value b) {
        return a.sizes().isPresent() && a.sizes().equals(b.sizes());
    }

    /** Whether broadcasting {@code b} against {@code a} always gives the shape of {@code a}. */
    static boolean stretches(Value b, Value a) {
        List<Long> from = b.sizes().orElse(null);
        List<Long> to = a.sizes().orElse(null);
        if (from == null || to == null || from.size() > to.size()) {
            return false;
        }
        for (int i = 1; i <= from.size(); i++) {
            long size = from.get(from.size() - i);
            if (size != 1 && size != to.get(to.size() - i)) {
                return false;
            }
        }
        return true;
    }

    /** Number of elements, at most {@link Dim#MAX}; −1 if unknown. */
    static long elements(Value value) {
        return value.sizes().map(all -> Shape.of(all).elements().or(-1)).orElse(-1L);
    }
}
