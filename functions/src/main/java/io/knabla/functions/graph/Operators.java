package io.knabla.functions.graph;

import java.util.List;

/** Groups of ONNX's own operators that work element by element. */
public final class Operators {
    /** One result for each element of the first input, by some arithmetic. */
    public static final List<String> MATH = List.of(
            "Abs",
            "Acos",
            "Acosh",
            "Asin",
            "Asinh",
            "Atan",
            "Atanh",
            "BitwiseNot",
            "Ceil",
            "Celu",
            "Clip",
            "Cos",
            "Cosh",
            "Elu",
            "Erf",
            "Exp",
            "Floor",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "LeakyRelu",
            "Log",
            "Mish",
            "Neg",
            "PRelu",
            "Reciprocal",
            "Relu",
            "Round",
            "Selu",
            "Shrink",
            "Sigmoid",
            "Sign",
            "Sin",
            "Sinh",
            "Softplus",
            "Softsign",
            "Sqrt",
            "Swish",
            "Tan",
            "Tanh",
            "ThresholdedRelu",
            "CumSum",
            "CumProd");

    /** Of operands that are stretched to meet each other. */
    public static final List<String> ARITHMETIC = List.of(
            "Add",
            "Sub",
            "Mul",
            "Div",
            "Pow",
            "Mod",
            "Min",
            "Max",
            "Sum",
            "Mean",
            "BitShift",
            "BitwiseAnd",
            "BitwiseOr",
            "BitwiseXor");

    /** Likewise, to a truth value each. */
    public static final List<String> COMPARING =
            List.of("And", "Or", "Xor", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual");

    private Operators() {}
}
