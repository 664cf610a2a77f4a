package io.knabla.functions.graph.shape;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The table of all shape rules, by operator; operators outside ONNX's own domain carry theirs. */
final class ShapeRules {
    private static final Map<String, ShapeRule> RULES = all();

    private ShapeRules() {}

    static Optional<ShapeRule> of(String qualifiedOp) {
        return Optional.ofNullable(RULES.get(bare(qualifiedOp)));
    }

    /** Scalers and their like keep their short names; no two domains in the table share one. */
    private static String bare(String qualifiedOp) {
        return qualifiedOp.startsWith("ai.onnx.ml.")
                ? qualifiedOp.substring("ai.onnx.ml.".length())
                : qualifiedOp;
    }

    private static Map<String, ShapeRule> all() {
        var rules = new HashMap<String, ShapeRule>();
        Elementwise.register(rules);
        Layout.register(rules);
        Indexing.register(rules);
        Matrix.register(rules);
        Convolution.register(rules);
        Reduction.register(rules);
        Sequences.register(rules);
        Quantized.register(rules);
        return Map.copyOf(rules);
    }
}
