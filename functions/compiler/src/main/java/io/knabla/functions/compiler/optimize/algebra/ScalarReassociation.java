package io.knabla.functions.compiler.optimize.algebra;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;

/**
 * Reassociates products: {@code (a · c) · b = a · (b · c)} if b is smaller than a and c is a constant scalar. Treats
 * {@code v + v} as {@code v · 2}.
 */
final class ScalarReassociation {
    private ScalarReassociation() {}

    static Optional<List<Value>> rewrite(Ops code, Op op) {
        if (op.is("Add") && op.input(0) == op.input(1) && op.output().isFloat()) {
            return product(op.input(0)).flatMap(p -> scaled(code, p, code.scalar(op.output(), 2), op.output()));
        }
        if (!op.is("Mul") || !op.output().isFloat()) {
            return Optional.empty();
        }
        for (int i = 0; i < 2; i++) {
            Value other = op.input(1 - i);
            Optional<Op> inner = product(op.input(i));
            Optional<List<Value>> found =
                    inner.flatMap(p -> other.scalarConstant().isPresent()
                            ? scaled(code, p, other, op.output())
                            : moved(code, p, other, op.output()));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Op> product(Value value) {
        return value.producer("Mul");
    }

    /** {@code (a · b) · c} with a small b and a number c. */
    private static Optional<List<Value>> scaled(Ops code, Op product, Value number, Value result) {
        for (int i = 0; i < 2; i++) {
            Value large = product.input(i);
            Value small = product.input(1 - i);
            if (smaller(small, large) && StaticShapes.same(large, result)) {
                return Optional.of(List.of(code.mul(large, code.mul(small, number))));
            }
        }
        return Optional.empty();
    }

    /** {@code (a · c) · b} with a number c and a small b. */
    private static Optional<List<Value>> moved(Ops code, Op product, Value small, Value result) {
        for (int i = 0; i < 2; i++) {
            Value large = product.input(i);
            Value number = product.input(1 - i);
            if (number.scalarConstant().isPresent()
                    && StaticShapes.elements(number) == 1
                    && smaller(small, large)
                    && StaticShapes.same(large, result)) {
                return Optional.of(List.of(code.mul(large, code.mul(small, number))));
            }
        }
        return Optional.empty();
    }

    private static boolean smaller(Value small, Value large) {
        long elements = StaticShapes.elements(small);
        return elements >= 0 && elements * 2 <= StaticShapes.elements(large);
    }
}
