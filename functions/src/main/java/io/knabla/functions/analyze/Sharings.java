package io.knabla.functions.analyze;

import io.knabla.functions.analyze.Liveness.Sharing;
import java.util.Set;

/** Which results ONNX Runtime's kernels for the CPU put where an operand was. */
public final class Sharings {
    private static final Set<String> VIEWS = Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity");

    /** Sums and products of two tensors are not among them. */
    private static final Set<String> IN_PLACE = Set.of(
            "Cast",
            "Celu",
            "Clip",
            "Elu",
            "HardSigmoid",
            "LeakyRelu",
            "LogSoftmax",
            "Relu",
            "ScatterElements",
            "ScatterND",
            "Selu",
            "Sigmoid",
            "Softmax",
            "Softplus",
            "Softsign",
            "Tanh",
            "ThresholdedRelu",
            "Trilu");

    private Sharings() {}

    /** @param qualifiedOp with its domain, "" for ONNX's own */
    public static Sharing of(String qualifiedOp) {
        if (VIEWS.contains(qualifiedOp)) {
            return Sharing.VIEW;
        }
        return IN_PLACE.contains(qualifiedOp) ? Sharing.IN_PLACE : Sharing.OWN;
    }
}
