package io.knabla.functions.compiler.onnx;

import java.util.List;

/** Groups of ONNX's own elementwise operators. */
public final class ElementwiseOperators {
    /** Arithmetic with one result for each element of the first input. */
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

    /** Arithmetic on operands that are broadcast to a common shape. */
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

    /** Logic and comparisons on broadcast operands, with boolean results. */
    public static final List<String> COMPARISONS =
            List.of("And", "Or", "Xor", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual");

    private ElementwiseOperators() {}
}
