package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.Shape;
import java.util.Optional;

/** Detects operations that return an operand unchanged. */
final class Identities {
    private Identities() {}

    /** Whether combining {@code a} with {@code b} elementwise provably keeps the shape of {@code a}. */
    static boolean keepsShape(Value a, Value b) {
        Optional<Shape> sb = b.shape();
        if (sb.isPresent() && sb.get().rank() == 0) {
            return true;
        }
        if (a.shape().isEmpty() || sb.isEmpty() || sb.get().rank() > a.rank()) {
            return false;
        }
        for (int i = 1; i <= sb.get().rank(); i++) {
            boolean same = sb.get().dim(-i).is(1) || Broadcast.same(sb.get().dim(-i), a.dim(-i));
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is a one-element constant of this value. */
    static boolean isConstant(Value value, double wanted) {
        return value.scalarConstant().filter(found -> found == wanted).isPresent();
    }
}
