package io.knabla.functions.graph.shape;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.Graph;
import io.knabla.functions.graph.Model;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.Tensors;
import io.knabla.functions.graph.shape.OpContext.Known;
import io.knabla.functions.graph.shape.Trace.Kind;
import io.knabla.functions.graph.shape.Trace.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Infers the type of every value of a graph in node order. Never fails: a type that cannot be inferred comes from the
 * declarations in the file or stays unknown.
 */
public final class Inference {
    private final Model model;
    private final Sizes sizes;

    private Inference(Model model, Sizes sizes) {
        this.model = model;
        this.sizes = sizes;
    }

    public static Trace trace(Model model, Sizes sizes) {
        var inference = new Inference(model, sizes);
        return inference.graph(model.graph(), new Scope(null, model.opsets()), List.of());
    }

    /** Returns the types of all values of the main graph, with symbolic sizes. */
    public static Map<String, TensorType> types(Model model) {
        var types = new HashMap<>(model.graph().inputs());
        model.graph().initializers().forEach((name, t) -> types.put(name, Tensors.type(t)));
        for (Step step : trace(model, Sizes.OPEN).steps()) {
            for (int i = 0; i < step.outputs().size(); i++) {
                types.put(step.op().node().outputs().get(i), step.outputs().get(i));
            }
        }
        return types;
    }

    /** @param arguments values of the graph's inputs if a node calls it; otherwise the declared types apply */
    private Trace graph(Graph graph, Scope scope, List<Known> arguments) {
        for (Map.Entry<String, TensorProto> tensor : graph.initializers().entrySet()) {
            scope.put(tensor.getKey(), constant(tensor.getValue()));
        }
        int index = 0;
        for (Map.Entry<String, TensorType> input : graph.inputs().entrySet()) {
            if (!graph.initializers().containsKey(input.getKey())) {
                Known given = index < arguments.size() ? arguments.get(index) : Known.NOTHING;
                scope.put(input.getKey(), or(given, input.getValue(), input.getKey()));
            }
            index++;
        }
        return new Trace(steps(graph.nodes(), graph, scope));
    }

    private List<Step> steps(List<Node> nodes, Graph stated, Scope scope) {
        var steps = new ArrayList<Step>(nodes.size());
        for (Node node : nodes) {
            steps.add(step(node, stated, scope));
        }
        return steps;
    }

    private Step step(Node node, Graph stated, Scope scope) {
        var inputs = new ArrayList<Known>(node.inputs().size());
        for (String input : node.inputs()) {
            inputs.add(input.isEmpty() ? Known.NOTHING : scope.get(input));
        }
        var op = new OpContext(node, scope.opsets.getOrDefault(node.domain(), 0L), inputs);
        Step found = result(op, scope);
        var outputs = new ArrayList<TensorType>(node.outputs().size());
        for (int i = 0; i < node.outputs().size(); i++) {
            String name = node.outputs().get(i);
            TensorType type = i < found.outputs().size() ? found.outputs().get(i) : TensorType.UNKNOWN;
            Known value = or(Known.of(type), stated(stated, name), name);
            outputs.add(value.type());
            scope.put(name, i == 0 ? withContents(op, value) : value);
        }
        return new Step(op, outputs, found.kind(), found.bodies(), found.repeat(), found.known());
    }

    private Step result(OpContext op, Scope scope) {
        Node node = op.node();
        Optional<FunctionProto> function = model.function(node.domain(), node.op(), node.overload());
        if (function.isPresent()) {
            return call(op, function.get());
        }
        if (!node.subgraphs().isEmpty()) {
            return new ControlFlow(op, scope.depth(), (graph, given) -> inner(graph, given, scope)).step();
        }
        boolean known = ShapeRules.has(node.qualifiedOp());
        return new Step(op, ShapeRules.infer(op), Kind.OPERATOR, List.of(), 1, known);
    }

    private Body inner(Graph graph, List<Known> arguments, Scope outer) {
        var scope = new Scope(outer, outer.opsets);
        Trace trace = graph(graph, scope, arguments);
        var outputs = new ArrayList<TensorType>();
        for (Map.Entry<String, TensorType> output : graph.outputs().entrySet()) {
            outputs.add(or(scope.get(output.getKey()), output.getValue(), output.getKey())
                    .type());
        }
        Dim condition = graph.outputs().keySet().stream()
                .findFirst()
                .flatMap(first -> scope.get(first).integers())
                .filter(values -> values.size() == 1)
                .map(List::getFirst)
                .orElse(Dim.UNKNOWN);
        return new Body(trace, outputs, condition);
    }

    private Step call(OpContext op, FunctionProto function) {
        var scope = new Scope(null, Functions.opsets(function));
        for (int i = 0; i < function.getInputCount(); i++) {
            scope.put(function.getInput(i), op.input(i));
        }
        List<Step> steps = steps(Functions.nodes(function, op.node()), null, scope);
        List<TensorType> outputs = function.getOutputList().stream()
                .map(name -> scope.get(name).type())
                .toList();
        return new Step(op, outputs, Kind.CALL, List.of(new Trace(steps)), 1, true);
    }

    private static Known constant(TensorProto tensor) {
        return new Known(Tensors.type(tensor), Integers.of(tensor), Optional.of(tensor));
    }

    private static Known withContents(OpContext op, Known value) {
        return new Known(value.type(), Integers.of(op), constant(op));
    }

    /** The tensor of a Constant node. */
    static Optional<TensorProto> constant(OpContext op) {
        boolean constant = op.node().qualifiedOp().equals("Constant");
        return constant ? op.node().tensor("value") : Optional.empty();
    }

    private static TensorType stated(Graph graph, String name) {
        if (graph == null) {
            return TensorType.UNKNOWN;
        }
        TensorType inner = graph.values().get(name);
        return inner != null ? inner : graph.outputs().getOrDefault(name, TensorType.UNKNOWN);
    }

    /** Merges the inferred type with the declared one and binds open dimensions. */
    private Known or(Known found, TensorType stated, String name) {
        TensorType type = Merge.of(found.type(), stated);
        return new Known(sizes.bind(type, name), found.integers(), found.constant());
    }

    /**
     * Result of inferring a subgraph: its steps and the types of its outputs.
     *
     * @param condition value of the first output if it is a single tracked integer, otherwise unknown
     */
    record Body(Trace trace, List<TensorType> outputs, Dim condition) {}
}
