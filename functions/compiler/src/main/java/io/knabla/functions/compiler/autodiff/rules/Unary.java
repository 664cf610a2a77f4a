package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.Map;

/**
 * Derivative rules of elementwise operators with one input: dx = dy · f'(x), with f' expressed in f(x) where that is
 * cheaper.
 */
final class Unary {
    private static final double TWO_OVER_SQRT_PI = 2 / Math.sqrt(Math.PI);

    /** f'(x) or dx itself from the operation, x, y and dy. */
    @FunctionalInterface
    private interface LocalDerivative {
        Value of(RuleContext at, Op op, Value x, Value y, Value dy);
    }

    private Unary() {}

    static void register(Map<String, Rule> table) {
        powers(table);
        trigonometry(table);
        hyperbolic(table);
        activations(table);
        bounded(table);
    }

    private static void rule(Map<String, Rule> table, String operator, LocalDerivative local) {
        table.put(operator, (at, op, dy) -> of(local.of(at, op, op.input(0), op.output(), dy.getFirst())));
    }

    private static void powers(Map<String, Rule> table) {
        rule(table, "Identity", (_, _, _, _, dy) -> dy);
        rule(table, "Neg", (at, _, _, _, dy) -> at.neg(dy));
        rule(table, "Abs", (at, _, x, _, dy) -> at.mul(dy, at.sign(x)));
        rule(table, "Exp", (at, _, _, y, dy) -> at.mul(dy, y));
        rule(table, "Log", (at, _, x, _, dy) -> at.div(dy, x));
        rule(table, "Sqrt", (at, _, x, y, dy) -> DerivativesAtZero.sqrt(at, x, y, dy));
        rule(table, "Reciprocal", (at, _, _, y, dy) -> at.neg(at.mul(dy, at.square(y))));
        rule(table, "Cast", (at, op, x, _, dy) -> at.castLike(dy, op.input(0)));
        rule(table, "Erf", (at, _, x, _, dy) -> at.mul(dy, at.mul(at.exp(at.neg(at.square(x))), TWO_OVER_SQRT_PI)));
    }

    private static void trigonometry(Map<String, Rule> table) {
        rule(table, "Sin", (at, _, x, _, dy) -> at.mul(dy, at.op("Cos", x)));
        rule(table, "Cos", (at, _, x, _, dy) -> at.neg(at.mul(dy, at.op("Sin", x))));
        rule(table, "Tan", (at, _, _, y, dy) -> at.mul(dy, at.add(at.square(y), 1)));
        rule(table, "Asin", (at, _, x, _, dy) -> at.div(dy, at.sqrt(oneMinusSquare(at, x))));
        rule(table, "Acos", (at, _, x, _, dy) -> at.neg(at.div(dy, at.sqrt(oneMinusSquare(at, x)))));
        rule(table, "Atan", (at, _, x, _, dy) -> at.div(dy, at.add(at.square(x), 1)));
    }

    private static void hyperbolic(Map<String, Rule> table) {
        rule(table, "Sinh", (at, _, x, _, dy) -> at.mul(dy, at.op("Cosh", x)));
        rule(table, "Cosh", (at, _, x, _, dy) -> at.mul(dy, at.op("Sinh", x)));
        rule(table, "Tanh", (at, _, _, y, dy) -> at.mul(dy, oneMinusSquare(at, y)));
        rule(table, "Asinh", (at, _, x, _, dy) -> at.div(dy, at.sqrt(at.add(at.square(x), 1))));
        rule(table, "Acosh", (at, _, x, _, dy) -> at.div(dy, at.sqrt(at.add(at.square(x), -1))));
        rule(table, "Atanh", (at, _, x, _, dy) -> at.div(dy, oneMinusSquare(at, x)));
    }

    private static void activations(Map<String, Rule> table) {
        rule(table, "Relu", (at, _, _, y, dy) -> at.mul(dy, at.indicator(at.greater(y, at.scalar(y, 0)), y)));
        rule(table, "LeakyRelu", (at, op, x, _, dy) -> {
            Value slope = at.scalar(x, op.attributes().real("alpha", 0.01));
            return at.mul(dy, at.where(positive(at, x), at.scalar(x, 1), slope));
        });
        rule(table, "Sigmoid", (at, _, _, y, dy) -> at.mul(dy, at.mul(y, at.sub(at.scalar(y, 1), y))));
        rule(table, "Softplus", (at, _, x, _, dy) -> at.mul(dy, at.op("Sigmoid", x)));
        rule(table, "Softsign", (at, _, x, _, dy) -> at.div(dy, at.square(at.add(at.abs(x), 1))));
        rule(table, "Elu", (at, op, x, y, dy) -> {
            Value slope = at.add(y, op.attributes().real("alpha", 1));
            return at.mul(dy, at.where(positive(at, x), at.scalar(x, 1), slope));
        });
        rule(table, "Selu", (at, op, x, y, dy) -> {
            double gamma = op.attributes().real("gamma", 1.05070102214813232);
            double alpha = op.attributes().real("alpha", 1.67326319217681884);
            Value slope = at.add(y, gamma * alpha);
            return at.mul(dy, at.where(positive(at, x), at.scalar(x, gamma), slope));
        });
        rule(table, "ThresholdedRelu", (at, op, x, _, dy) -> {
            Value threshold = at.scalar(x, op.attributes().real("alpha", 1));
            return at.mul(dy, at.indicator(at.greater(x, threshold), x));
        });
    }

    private static void bounded(Map<String, Rule> table) {
        rule(table, "HardSigmoid", (at, op, x, y, dy) -> {
            Value inside = at.and(at.greater(y, at.scalar(y, 0)), at.less(y, at.scalar(y, 1)));
            double alpha = op.attributes().real("alpha", 0.2);
            return at.mul(dy, at.mul(at.indicator(inside, y), alpha));
        });
        rule(table, "HardSwish", (at, _, x, _, dy) -> {
            Value middle = at.add(at.mul(x, 1 / 3.0), 0.5);
            Value above = at.where(at.greaterOrEqual(x, at.scalar(x, 3)), at.scalar(x, 1), middle);
            Value slope = at.where(at.lessOrEqual(x, at.scalar(x, -3)), at.scalar(x, 0), above);
            return at.mul(dy, slope);
        });
    }

    private static Value positive(RuleContext at, Value x) {
        return at.greater(x, at.scalar(x, 0));
    }

    private static Value oneMinusSquare(RuleContext at, Value x) {
        return at.sub(at.scalar(x, 1), at.square(x));
    }
}
