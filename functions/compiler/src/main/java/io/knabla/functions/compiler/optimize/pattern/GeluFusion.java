package io.knabla.functions.compiler.optimize.pattern;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fuses {@code x · Φ(x)}, written exactly with Erf or approximately with Tanh and with its factors in any order, into
 * Gelu.
 */
final class GeluFusion {
    private static final double CUBE = 0.044715;

    private GeluFusion() {}

    static Optional<List<Value>> rewrite(Ops code, Op op) {
        if (!op.is("Mul") || op.output().element() != ElementType.FLOAT) {
            return Optional.empty();
        }
        var factors = new ArrayList<Value>();
        double scale = factors(op.output(), factors);
        if (factors.size() != 2 || Math.abs(scale - 0.5) > 1e-6) {
            return Optional.empty();
        }
        for (int i = 0; i < 2; i++) {
            Value x = factors.get(i);
            Optional<Value> inner = PatternMatching.otherOperand(factors.get(1 - i), "Add", 1);
            if (inner.isPresent() && PatternMatching.sameShape(x, op.output())) {
                if (erf(inner.get(), x)) {
                    return Optional.of(List.of(code.op("Gelu", x)));
                }
                if (tanh(inner.get(), x)) {
                    Attributes tanh = Attributes.of("approximate", "tanh");
                    return Optional.of(List.of(code.op("Gelu", tanh, x)));
                }
            }
        }
        return Optional.empty();
    }

    /** Collects the factors of nested products; returns the product of the constant ones. */
    private static double factors(Value value, List<Value> into) {
        Optional<Op> product = value.producer("Mul").filter(_ -> into.size() < 4);
        if (product.isEmpty()) {
            if (value.scalarConstant().isPresent()) {
                return value.scalarConstant().get();
            }
            into.add(value);
            return 1;
        }
        // 1 + tanh is one factor; products inside it are not split.
        return factors(product.get().input(0), into) * factors(product.get().input(1), into);
    }

    private static boolean erf(Value value, Value x) {
        return value.producer("Erf")
                .flatMap(op -> PatternMatching.scaled(op.input(0), Math.sqrt(0.5)))
                .filter(found -> found == x)
                .isPresent();
    }

    /** √(2/π) · (x + 0.044715 · x³). */
    private static boolean tanh(Value value, Value x) {
        return value.producer("Tanh")
                .flatMap(op -> PatternMatching.scaled(op.input(0), Math.sqrt(2 / Math.PI)))
                .flatMap(sum -> sum.producer("Add"))
                .flatMap(sum -> PatternMatching.orderedOperands(sum, term -> term == x))
                .filter(terms -> cube(terms.get(1), x))
                .isPresent();
    }

    private static boolean cube(Value value, Value x) {
        var factors = new ArrayList<Value>();
        double scale = factors(value, factors);
        boolean power = factors.size() == 1
                && factors.getFirst()
                        .producer("Pow")
                        .filter(op -> op.input(0) == x && PatternMatching.near(op.input(1), 3))
                        .isPresent();
        boolean product = factors.size() == 3 && factors.stream().allMatch(f -> f == x);
        boolean mixed = factors.size() == 2
                && factors.contains(x)
                && factors.stream()
                        .anyMatch(f -> f.producer("Pow")
                                .filter(op -> op.input(0) == x && PatternMatching.near(op.input(1), 2))
                                .isPresent());
        return Math.abs(scale - CUBE) <= 1e-3 * CUBE && (power || product || mixed);
    }
}
