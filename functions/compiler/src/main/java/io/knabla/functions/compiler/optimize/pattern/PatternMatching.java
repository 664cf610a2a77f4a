package io.knabla.functions.compiler.optimize.pattern;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Predicates and lookups that patterns match values with. */
final class PatternMatching {
    private static final double CLOSE = 1e-3;

    private PatternMatching() {}

    /** Whether the value is a one-element constant near this number; exporters round differently. */
    static boolean near(Value value, double number) {
        return value != null
                && value.scalarConstant()
                        .filter(found -> Math.abs(found - number) <= CLOSE * Math.abs(number))
                        .isPresent();
    }

    /** The other operand of a binary operation that has one operand near a number. */
    static Optional<Value> otherOperand(Value result, String type, double number) {
        return result.producer(type).flatMap(op -> {
            if (near(op.input(1), number)) {
                return Optional.of(op.input(0));
            }
            return !type.equals("Div") && near(op.input(0), number) ? Optional.of(op.input(1)) : Optional.empty();
        });
    }

    /** {@code x · number}, written as a product or a quotient. */
    static Optional<Value> scaled(Value result, double number) {
        return otherOperand(result, "Mul", number).or(() -> otherOperand(result, "Div", 1 / number));
    }

    /** The operands of a binary operation, ordered to make the first satisfy the predicate. */
    static Optional<List<Value>> orderedOperands(Op op, Predicate<Value> first) {
        Value a = op.input(0);
        Value b = op.input(1);
        return first.test(a)
                ? Optional.of(List.of(a, b))
                : first.test(b) ? Optional.of(List.of(b, a)) : Optional.empty();
    }

    static boolean sameShape(Value a, Value b) {
        return a.shape().isPresent() && a.shape().equals(b.shape());
    }
}
