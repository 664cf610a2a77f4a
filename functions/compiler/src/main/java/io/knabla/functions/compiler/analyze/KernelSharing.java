package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Liveness.Sharing;
import java.util.Set;

/** Lists the operators whose CPU kernels in ONNX Runtime put the result into an operand's buffer. */
public final class KernelSharing {
    private static final Set<String> VIEWS = Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity");

    /** Does not include sums and products of two tensors. */
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

    private KernelSharing() {}

    /** @param qualifiedOp with its domain, "" for ONNX's own */
    public static Sharing of(String qualifiedOp) {
        if (VIEWS.contains(qualifiedOp)) {
            return Sharing.VIEW;
        }
        return IN_PLACE.contains(qualifiedOp) ? Sharing.IN_PLACE : Sharing.OWN;
    }
}
