package io.knabla.functions.graph.ssa;

import java.util.Map;
import java.util.Set;

/**
 * Outputs that kernels give for nothing and that derivatives want. They are always there to be used;
 * an unused one is not asked of the engine.
 */
final class OptionalOutputs {
    private static final Map<String, Integer> COUNTS =
            Map.of(
                    "MaxPool", 2,
                    "LayerNormalization", 3,
                    "Dropout", 2,
                    "LSTM", 3,
                    "GRU", 2,
                    "RNN", 2,
                    "TopK", 2,
                    "SoftmaxCrossEntropyLoss", 2);

    /** None of theirs can be left out, used or not. */
    private static final Set<String> ALL_REQUIRED =
            Set.of("Split", "TopK", "If", "Loop", "Scan", "DynamicQuantizeLinear");

    private OptionalOutputs() {}

    /** Whether an unused output may be left out of a file. */
    static boolean none(Op op) {
        return op.domain().isEmpty() && ALL_REQUIRED.contains(op.type());
    }

    static int of(Op.Spec spec) {
        if (!spec.domain().isEmpty()) {
            return 1;
        }
        return COUNTS.getOrDefault(spec.type(), 1);
    }

    /** Whether some may be left out; engines crash where an output of Split or Scan is. */
    static boolean has(Op op) {
        return !op.domain().isEmpty()
                || COUNTS.containsKey(op.type())
                || op.is("BatchNormalization")
                || op.is("Unique");
    }
}
