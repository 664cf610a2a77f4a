package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;
import java.util.Map;

/** Rules of the classifiers in ai.onnx.ml: a label for each row, and a score for each row and class. */
final class Classifiers {
    static final List<String> NAMES = List.of("LinearClassifier", "TreeEnsembleClassifier");

    private Classifiers() {}

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(rules, Classifiers::scores, NAMES);
    }

    private static List<Shape> scores(OpContext op) {
        int classes = strings(op.node())
                + integers(op.node(), "classlabels_ints")
                + integers(op.node(), "classlabels_int64s");
        if (op.rank(0) != 2 || classes == 0) {
            throw ShapeUnknownException.INSTANCE;
        }
        Dim rows = op.shape(0).dim(0);
        return List.of(new Shape(List.of(rows)), new Shape(List.of(rows, Dim.of(classes))));
    }

    static List<ElementType> elements(OpContext op) {
        return List.of(strings(op.node()) > 0 ? ElementType.STRING : ElementType.INT64, ElementType.FLOAT);
    }

    private static int strings(Node node) {
        AttributeProto names = node.attributes().get("classlabels_strings");
        return names == null ? 0 : names.getStringsCount();
    }

    private static int integers(Node node, String attribute) {
        return node.integers(attribute).map(List::size).orElse(0);
    }
}
