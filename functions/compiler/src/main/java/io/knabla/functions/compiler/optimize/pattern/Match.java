package io.knabla.functions.compiler.optimize.pattern;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Questions that patterns ask about values. */
final class Match {
    private static final double CLOSE = 1e-3;

    private Match() {}

    /** Whether it is a constant of one element near this number; exporters round as they like. */
    static boolean near(Value value, double number) {
        return value != null
                && value.scalarConstant()
                        .filter(found -> Math.abs(found - number) <= CLOSE * Math.abs(number))
                        .isPresent();
    }

    /** The other operand of an operation of two of which one is near a number. */
    static Optional<Value> besides(Value result, String type, double number) {
        return result.producer(type).flatMap(op -> {
            if (near(op.input(1), number)) {
                return Optional.of(op.input(0));
            }
            return !type.equals("Div") && near(op.input(0), number) ? Optional.of(op.input(1)) : Optional.empty();
        });
    }

    /** {@code x · number}, written as a product or a quotient. */
    static Optional<Value> scaled(Value result, double number) {
        return besides(result, "Mul", number).or(() -> besides(result, "Div", 1 / number));
    }

    /** The operands of an operation of two, in the order in which the first fulfils the question. */
    static Optional<List<Value>> either(Op op, Predicate<Value> first) {
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
