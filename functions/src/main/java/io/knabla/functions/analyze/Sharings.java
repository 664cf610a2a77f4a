package io.knabla.functions.analyze;

import io.knabla.functions.analyze.Liveness.Sharing;
import java.util.Set;

/** Which results ONNX Runtime's kernels for the CPU put where an operand was. */
public final class Sharings {
    private static final Set<String> VIEWS =
            Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity");

    private static final Set<String> IN_PLACE =
            Set.of(
                    "Abs",
                    "Add",
                    "And",
                    "Cast",
                    "Ceil",
                    "Clip",
                    "Cos",
                    "Div",
                    "Dropout",
                    "Elu",
                    "Erf",
                    "Exp",
                    "Floor",
                    "HardSigmoid",
                    "LeakyRelu",
                    "Log",
                    "Max",
                    "Min",
                    "Mul",
                    "Neg",
                    "Not",
                    "Or",
                    "Reciprocal",
                    "Relu",
                    "Selu",
                    "Sigmoid",
                    "Sign",
                    "Sin",
                    "Softplus",
                    "Softsign",
                    "Sqrt",
                    "Sub",
                    "Sum",
                    "Tanh",
                    "ThresholdedRelu");

    private Sharings() {}

    /** @param qualifiedOp with its domain, "" for ONNX's own */
    public static Sharing of(String qualifiedOp) {
        if (VIEWS.contains(qualifiedOp)) {
            return Sharing.VIEW;
        }
        return IN_PLACE.contains(qualifiedOp) ? Sharing.IN_PLACE : Sharing.OWN;
    }
}
