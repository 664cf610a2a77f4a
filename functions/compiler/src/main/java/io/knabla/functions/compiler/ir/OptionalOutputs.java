package io.knabla.functions.compiler.ir;

import java.util.Map;
import java.util.Set;

/**
 * Optional outputs that kernels compute at no extra cost and that derivatives need. Operations are always created with
 * them; export omits those that nothing uses.
 */
final class OptionalOutputs {
    private static final Map<String, Integer> COUNTS = Map.of(
            "MaxPool", 2,
            "LayerNormalization", 3,
            "Dropout", 2,
            "LSTM", 3,
            "GRU", 2,
            "RNN", 2,
            "TopK", 2,
            "SoftmaxCrossEntropyLoss", 2);

    /** Operators that need all their outputs; engines crash if one of Split or Scan is missing. */
    private static final Set<String> ALL_REQUIRED =
            Set.of("Split", "TopK", "If", "Loop", "Scan", "DynamicQuantizeLinear");

    private OptionalOutputs() {}

    /** Minimum number of outputs that an operation is created with. */
    static int minimumCount(Op.Spec spec) {
        if (trains(spec.type(), spec.attributes())) {
            return 3;
        }
        return spec.domain().isEmpty() ? COUNTS.getOrDefault(spec.type(), 1) : 1;
    }

    /** Whether an output must be exported even if nothing uses it. */
    static boolean required(Op op) {
        return op.domain().isEmpty() && (ALL_REQUIRED.contains(op.type()) || trains(op.type(), op.attributes()));
    }

    private static boolean trains(String type, Attributes attributes) {
        return type.equals("BatchNormalization") && attributes.integer("training_mode", 0) == 1;
    }
}
