package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.Optional;

/**
 * Derivatives at 0 of roots, powers and angles that exporters write as several operations: there the chain rule
 * multiplies 0 by infinity, while PyTorch's one function is smooth or has a chosen derivative.
 */
final class DerivativesAtZero {
    private DerivativesAtZero() {}

    /**
     * The adjoint of a square root; at 0 infinite, except for the root of a sum of powers, whose adjoint there is 0.
     */
    static Value sqrt(RuleContext at, Value x, Value y, Value dy) {
        return at.div(at.mul(dy, 0.5), isSumOfPowers(at, x) ? nonZero(at, y) : y);
    }

    /** The base of a power whose slope is asked for; not 0 where a root would be infinitely steep without a cause. */
    static Value base(RuleContext at, Value x, Optional<Double> exponent) {
        boolean root = exponent.filter(p -> p > 0 && p < 1).isPresent();
        return root && isSumOfPowers(at, x) ? nonZero(at, x) : x;
    }

    private static Value nonZero(RuleContext at, Value x) {
        return at.where(at.equal(x, at.scalar(x, 0)), at.scalar(x, 1), x);
    }

    /**
     * Whether it is a sum of squares or of higher powers, such as a variance or what a norm is the root of: where it is
     * 0, all of them are flat, and so is its root by PyTorch's choice for norms and standard deviations.
     */
    private static boolean isSumOfPowers(RuleContext at, Value x) {
        Value sum = x;
        while (sum != null) {
            Op op = sum.producer().orElse(null);
            switch (op == null ? "" : op.type()) {
                case "ReduceSumSquare" -> {
                    return true;
                }
                case "ReduceSum", "ReduceMean" -> {
                    return isPower(op.input(0));
                }
                case "Mul", "Div" -> sum = scaled(at, op);
                case "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Identity" -> sum = op.input(0);
                default -> sum = null;
            }
        }
        return false;
    }

    /** The operand that is scaled by one without a derivative; null if both have one. */
    private static Value scaled(RuleContext at, Op op) {
        if (!at.needsAdjoint(op, 1)) {
            return op.input(0);
        }
        return op.is("Mul") && !at.needsAdjoint(op, 0) ? op.input(1) : null;
    }

    private static boolean isPower(Value x) {
        return x.producer("Mul").filter(op -> op.input(0) == op.input(1)).isPresent()
                || x.producer("Pow")
                        .flatMap(op -> op.input(1).scalarConstant())
                        .filter(power -> power > 1)
                        .isPresent();
    }

    /**
     * The adjoint of an arctangent whose argument is {@code quotient}, if that is where {@code dy} comes from: with a
     * denominator of 0 the quotient is infinite, but the angle is smooth.
     */
    static Optional<Value> ofAngle(Value dy, Value quotient) {
        return dy.producer("Div")
                .filter(op -> op.input(1)
                        .producer("Add")
                        .filter(sum -> isOne(sum.input(1)) && isSquare(sum.input(0), quotient))
                        .isPresent())
                .map(op -> op.input(0));
    }

    private static boolean isSquare(Value x, Value of) {
        return x.producer("Mul")
                .filter(op -> op.input(0) == of && op.input(1) == of)
                .isPresent();
    }

    private static boolean isOne(Value x) {
        return x.scalarConstant().filter(one -> one == 1).isPresent();
    }

    /** {@code g / (a² + b²)}; at the origin, where there is no angle, {@code g}. */
    static Value overSquares(RuleContext at, Value g, Value a, Value b) {
        return at.div(g, nonZero(at, at.add(at.square(a), at.square(b))));
    }
}
