package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Axes along which an operand was expanded by broadcasting, derived from the known shapes.
 *
 * @param leading number of leading axes of the result that the operand lacks
 * @param stretched axes of the result, counted from the front, where the operand has size 1 and the result more
 */
record Broadcast(int leadingInputs, List<Long> stretched) {

    /** Empty if the answer depends on sizes known only at run time. */
    static Optional<Broadcast> of(Shape result, Shape operand) {
        int leading = result.rank() - operand.rank();
        if (leading < 0) {
            return Optional.empty();
        }
        var stretched = new ArrayList<Long>();
        for (int i = 0; i < operand.rank(); i++) {
            Dim from = operand.dim(i);
            Dim to = result.dim(leading + i);
            if (from.is(1) && !to.is(1)) {
                stretched.add((long) leading + i);
            } else if (!same(from, to)) {
                return Optional.empty();
            }
        }
        return Optional.of(new Broadcast(leading, List.copyOf(stretched)));
    }

    boolean none() {
        return leadingInputs == 0 && stretched.isEmpty();
    }

    /** Whether two sizes are provably equal. */
    static boolean same(Dim a, Dim b) {
        return !(a instanceof Dim.Unknown) && a.equals(b);
    }
}
