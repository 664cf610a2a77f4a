package io.knabla.functions.compiler.cuda;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.compiler.cuda.FlatGraph.FlatNode;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the nodes that are gone before a call: those that ONNX Runtime folds into constants, removes, or merges with
 * equal ones when it loads a graph.
 */
final class LoadTimeNodes {
    private static final Set<String> RANDOM = Set.of(
            "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial");

    private static final int TRAINING_MODE = 2;

    private final Set<String> constants;
    private final Set<String> results;
    private final Map<String, String> aliases = new HashMap<>();
    private final Map<Form, List<String>> seen = new HashMap<>();

    /** What equal nodes have in common. */
    private record Form(String operator, Map<String, AttributeProto> attributes, List<String> inputs) {}

    LoadTimeNodes(FlatGraph graph) {
        this.constants = new HashSet<>(graph.constants());
        this.results = graph.results();
    }

    /** Whether the node is gone before a call; the nodes of a graph must be asked in order. */
    boolean removes(FlatNode node) {
        if (passes(node)) {
            aliases.put(node.outputs().getFirst(), source(node.inputs().getFirst()));
            return true;
        }
        if (folds(node)) {
            constants.addAll(node.outputs());
            return true;
        }
        return merges(node);
    }

    private boolean merges(FlatNode node) {
        Node op = node.op().node();
        if (isOwn(op) || node.outputs().stream().anyMatch(results::contains)) {
            return false;
        }
        List<String> inputs = node.inputs().stream().map(this::source).toList();
        List<String> outputs = seen.putIfAbsent(new Form(op.qualifiedOp(), op.attributes(), inputs), node.outputs());
        if (outputs == null || outputs.size() < node.outputs().size()) {
            return false;
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            aliases.put(node.outputs().get(i), outputs.get(i));
        }
        return true;
    }

    /** Whether two equal nodes may give different results. */
    private static boolean isOwn(Node op) {
        return !op.subgraphs().isEmpty() || RANDOM.contains(op.op()) || op.op().equals("Dropout");
    }

    /** The value that a node reads once the removed ones are gone. */
    String source(String value) {
        return aliases.getOrDefault(value, value);
    }

    boolean isConstant(String value) {
        return constants.contains(source(value));
    }

    private boolean passes(FlatNode node) {
        if (node.inputs().isEmpty()
                || isConstant(node.inputs().getFirst())
                || results.contains(node.outputs().getFirst())) {
            return false;
        }
        return switch (node.op().node().qualifiedOp()) {
            case "Identity" -> true;
            case "Dropout" -> !node.op().has(TRAINING_MODE);
            default -> false;
        };
    }

    /** Constants are folded before functions are expanded, so that a function of constants stays. */
    private boolean folds(FlatNode node) {
        Node op = node.op().node();
        if (isOwn(op) || KernelChoice.expands(op)) {
            return false;
        }
        return node.inputs().stream().allMatch(name -> name.isEmpty() || isConstant(name)) || hasKnownShape(node);
    }

    private static boolean hasKnownShape(FlatNode node) {
        return node.op().node().qualifiedOp().equals("Shape")
                && node.inputType(0).shape().filter(LoadTimeNodes::isKnown).isPresent();
    }

    private static boolean isKnown(Shape shape) {
        return shape.dims().stream().allMatch(Dim::known);
    }
}
