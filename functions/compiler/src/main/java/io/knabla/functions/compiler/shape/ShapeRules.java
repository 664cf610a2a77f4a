package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Table of all shape rules by operator name; operators outside ONNX's own domain have it as a prefix. */
final class ShapeRules {
    private static final Map<String, ShapeRule> RULES = all();

    private ShapeRules() {}

    static boolean has(String qualifiedOp) {
        return of(qualifiedOp).isPresent();
    }

    /** Types of the node's outputs; of an operator that is not in the table at most the element types. */
    static List<TensorType> infer(OpContext op) {
        Optional<ShapeRule> rule = of(op.node().qualifiedOp());
        if (rule.isEmpty()) {
            return elements(op);
        }
        List<Shape> shapes = RuleGuard.getOrElse(() -> rule.get().infer(op), List.of());
        var types = new ArrayList<TensorType>();
        for (int i = 0; i < op.node().outputs().size(); i++) {
            int output = i;
            types.add(new TensorType(
                    RuleGuard.getOrElse(() -> ElementTypeRules.of(op, output), ElementType.UNDEFINED),
                    i < shapes.size() ? Optional.of(shapes.get(i)) : Optional.empty()));
        }
        return types;
    }

    private static List<TensorType> elements(OpContext op) {
        var types = new ArrayList<TensorType>();
        for (int i = 0; i < op.node().outputs().size(); i++) {
            int output = i;
            ElementType element = RuleGuard.getOrElse(
                            () -> ElementTypeRules.stated(op, output), Optional.<ElementType>empty())
                    .orElse(ElementType.UNDEFINED);
            types.add(new TensorType(element, Optional.empty()));
        }
        return types;
    }

    private static Optional<ShapeRule> of(String qualifiedOp) {
        return Optional.ofNullable(RULES.get(bare(qualifiedOp)));
    }

    /** Operators of ai.onnx.ml have no prefix; no two domains in the table share a name. */
    static String bare(String qualifiedOp) {
        return qualifiedOp.startsWith("ai.onnx.ml.") ? qualifiedOp.substring("ai.onnx.ml.".length()) : qualifiedOp;
    }

    private static Map<String, ShapeRule> all() {
        var rules = new HashMap<String, ShapeRule>();
        Elementwise.register(rules);
        Layout.register(rules);
        Indexing.register(rules);
        Matrix.register(rules);
        Convolution.register(rules);
        Reduction.register(rules);
        RecurrentAndAttention.register(rules);
        Quantized.register(rules);
        Creation.register(rules);
        Resizing.register(rules);
        Signal.register(rules);
        TensorSequences.register(rules);
        Classifiers.register(rules);
        return Map.copyOf(rules);
    }
}
