package io.knabla.functions.graph.ssa;

import java.util.Map;
import java.util.Set;

/**
 * Outputs that kernels give for nothing and that derivatives want. They are always there to be used; an unused one is
 * not asked of the engine.
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

    /** None of theirs may be left out; engines crash where one of Split or Scan is. */
    private static final Set<String> ALL_REQUIRED =
            Set.of("Split", "TopK", "If", "Loop", "Scan", "DynamicQuantizeLinear");

    private OptionalOutputs() {}

    /** How many outputs an operation is made with, at least. */
    static int of(Op.Spec spec) {
        if (trains(spec.type(), spec.attributes())) {
            return 3;
        }
        return spec.domain().isEmpty() ? COUNTS.getOrDefault(spec.type(), 1) : 1;
    }

    /** Whether an output must be in a file even where nothing uses it. */
    static boolean required(Op op) {
        return op.domain().isEmpty() && (ALL_REQUIRED.contains(op.type()) || trains(op.type(), op.attributes()));
    }

    private static boolean trains(String type, Attributes attributes) {
        return type.equals("BatchNormalization") && attributes.integer("training_mode", 0) == 1;
    }
}
