package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import java.util.List;
import java.util.Map;

/** Derivative rules of operators that pass no adjoint back: their results are piecewise constant, or not numbers. */
final class NonDifferentiableOps {
    private static final List<String> OPERATORS = List.of(
            "Shape",
            "Size",
            "NonZero",
            "ArgMax",
            "ArgMin",
            "Equal",
            "Less",
            "LessOrEqual",
            "Greater",
            "GreaterOrEqual",
            "And",
            "Or",
            "Not",
            "Xor",
            "IsNaN",
            "IsInf",
            "Floor",
            "Ceil",
            "Round",
            "Sign",
            "ConstantOfShape",
            "Range",
            "EyeLike",
            "RandomNormal",
            "RandomUniform",
            "RandomNormalLike",
            "RandomUniformLike",
            "Bernoulli",
            "Multinomial",
            "BitShift",
            "BitwiseAnd",
            "BitwiseOr",
            "BitwiseXor",
            "BitwiseNot",
            "HannWindow",
            "HammingWindow",
            "BlackmanWindow",
            "NonMaxSuppression",
            "StringNormalizer");

    private NonDifferentiableOps() {}

    static void register(Map<String, Rule> table) {
        OPERATORS.forEach(operator -> table.put(operator, Rule.STOP));
    }
}
