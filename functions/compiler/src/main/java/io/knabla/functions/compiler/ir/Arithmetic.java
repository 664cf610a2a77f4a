package io.knabla.functions.compiler.ir;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;

/**
 * Builder methods for elementwise operations and matrix products; they simplify algebraic identities on construction.
 */
public interface Arithmetic {
    Builder builder();

    default Value op(String type, Value... inputs) {
        return builder().op(type, Attributes.NONE, inputs);
    }

    default Value op(String type, Attributes attributes, Value... inputs) {
        return builder().op(type, attributes, inputs);
    }

    /** A scalar of the same element type as {@code like}. */
    default Value scalar(Value like, double value) {
        return builder().constant(Constants.scalar(like.element(), value));
    }

    default Value scalar(ElementType element, double value) {
        return builder().constant(Constants.scalar(element, value));
    }

    default Value add(Value a, Value b) {
        if (Identities.keepsShape(a, b) && Identities.isConstant(b, 0)) {
            return a;
        }
        if (Identities.keepsShape(b, a) && Identities.isConstant(a, 0)) {
            return b;
        }
        return op("Add", a, b);
    }

    default Value sub(Value a, Value b) {
        return Identities.keepsShape(a, b) && Identities.isConstant(b, 0) ? a : op("Sub", a, b);
    }

    default Value mul(Value a, Value b) {
        if (Identities.keepsShape(a, b) && Identities.isConstant(b, 1)) {
            return a;
        }
        if (Identities.keepsShape(b, a) && Identities.isConstant(a, 1)) {
            return b;
        }
        return op("Mul", a, b);
    }

    default Value mul(Value a, double factor) {
        return mul(a, scalar(a, factor));
    }

    default Value add(Value a, double term) {
        return add(a, scalar(a, term));
    }

    default Value div(Value a, Value b) {
        return Identities.keepsShape(a, b) && Identities.isConstant(b, 1) ? a : op("Div", a, b);
    }

    default Value div(Value a, double divisor) {
        return div(a, scalar(a, divisor));
    }

    default Value neg(Value a) {
        return a.producer("Neg").map(op -> op.input(0)).orElseGet(() -> op("Neg", a));
    }

    default Value reciprocal(Value a) {
        return op("Reciprocal", a);
    }

    default Value square(Value a) {
        return mul(a, a);
    }

    default Value sqrt(Value a) {
        return op("Sqrt", a);
    }

    default Value exp(Value a) {
        return op("Exp", a);
    }

    default Value log(Value a) {
        return op("Log", a);
    }

    default Value abs(Value a) {
        return op("Abs", a);
    }

    default Value sign(Value a) {
        return op("Sign", a);
    }

    default Value pow(Value a, Value b) {
        return op("Pow", a, b);
    }

    default Value min(Value a, Value b) {
        return op("Min", a, b);
    }

    default Value max(Value a, Value b) {
        return op("Max", a, b);
    }

    default Value less(Value a, Value b) {
        return op("Less", a, b);
    }

    default Value lessOrEqual(Value a, Value b) {
        return op("LessOrEqual", a, b);
    }

    default Value greater(Value a, Value b) {
        return op("Greater", a, b);
    }

    default Value greaterOrEqual(Value a, Value b) {
        return op("GreaterOrEqual", a, b);
    }

    default Value equal(Value a, Value b) {
        return op("Equal", a, b);
    }

    default Value and(Value a, Value b) {
        return op("And", a, b);
    }

    default Value or(Value a, Value b) {
        return op("Or", a, b);
    }

    default Value not(Value a) {
        return op("Not", a);
    }

    default Value where(Value condition, Value yes, Value no) {
        return op("Where", condition, yes, no);
    }

    /** 1 if the condition holds, else 0, in the element type of {@code like}. */
    default Value indicator(Value condition, Value like) {
        return cast(condition, like.element());
    }

    default Value cast(Value a, ElementType element) {
        return a.element() == element ? a : op("Cast", Attributes.of("to", element.number()), a);
    }

    default Value castLike(Value a, Value like) {
        return cast(a, like.element());
    }

    default Value matmul(Value a, Value b) {
        return op("MatMul", a, b);
    }

    /** Sum of all terms; a single Sum node for three or more. */
    default Value sum(List<Value> terms) {
        return switch (terms.size()) {
            case 0 -> throw new IllegalArgumentException("a sum of nothing has no type");
            case 1 -> terms.getFirst();
            case 2 -> add(terms.get(0), terms.get(1));
            default -> op("Sum", terms.toArray(Value[]::new));
        };
    }
}
