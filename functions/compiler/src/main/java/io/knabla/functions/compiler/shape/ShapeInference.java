package io.knabla.functions.compiler.shape;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.InferenceTrace.Kind;
import io.knabla.functions.compiler.shape.InferenceTrace.Step;
import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Infers the type of every value of a graph in node order. Never fails: a type that cannot be inferred comes from the
 * declarations in the file or stays unknown.
 */
public final class ShapeInference {
    private final Model model;
    private final DimBinding sizes;

    private ShapeInference(Model model, DimBinding sizes) {
        this.model = model;
        this.sizes = sizes;
    }

    public static InferenceTrace trace(Model model, DimBinding sizes) {
        var inference = new ShapeInference(model, sizes);
        return inference.graph(model.graph(), new Scope(null, model.opsets()), List.of());
    }

    /** Returns the types of all values of the main graph, with symbolic sizes. */
    public static Map<String, TensorType> types(Model model) {
        var types = new HashMap<>(model.graph().inputs());
        model.graph().initializers().forEach((name, t) -> types.put(name, TensorProtos.type(t)));
        for (Step step : trace(model, DimBinding.SYMBOLIC).steps()) {
            for (int i = 0; i < step.outputs().size(); i++) {
                types.put(step.op().node().outputs().get(i), step.outputs().get(i));
            }
        }
        return types;
    }

    /** @param arguments values of the graph's inputs if a node calls it; otherwise the declared types apply */
    private InferenceTrace graph(Graph graph, Scope scope, List<ValueInfo> arguments) {
        for (Map.Entry<String, TensorProto> tensor : graph.initializers().entrySet()) {
            scope.put(tensor.getKey(), constant(tensor.getValue()));
        }
        int index = 0;
        for (Map.Entry<String, TensorType> input : graph.inputs().entrySet()) {
            if (!graph.initializers().containsKey(input.getKey())) {
                ValueInfo given = index < arguments.size() ? arguments.get(index) : ValueInfo.NOTHING;
                scope.put(input.getKey(), complete(given, input.getValue(), input.getKey()));
            }
            index++;
        }
        return new InferenceTrace(steps(graph.nodes(), graph, scope));
    }

    private List<Step> steps(List<Node> nodes, Graph stated, Scope scope) {
        var steps = new ArrayList<Step>(nodes.size());
        for (Node node : nodes) {
            steps.add(step(node, stated, scope));
        }
        return steps;
    }

    private Step step(Node node, Graph stated, Scope scope) {
        var inputs = new ArrayList<ValueInfo>(node.inputs().size());
        for (String input : node.inputs()) {
            inputs.add(input.isEmpty() ? ValueInfo.NOTHING : scope.get(input));
        }
        var op = new OpContext(node, scope.opsets.getOrDefault(node.domain(), 0L), inputs);
        Step found = result(op, scope);
        var outputs = new ArrayList<TensorType>(node.outputs().size());
        for (int i = 0; i < node.outputs().size(); i++) {
            String name = node.outputs().get(i);
            TensorType type = i < found.outputs().size() ? found.outputs().get(i) : TensorType.UNKNOWN;
            ValueInfo value = complete(ValueInfo.of(type), stated(stated, name), name);
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

    private SubgraphResult inner(Graph graph, List<ValueInfo> arguments, Scope outer) {
        var scope = new Scope(outer, outer.opsets);
        InferenceTrace trace = graph(graph, scope, arguments);
        var outputs = new ArrayList<TensorType>();
        for (String name : graph.results()) {
            outputs.add(
                    complete(scope.get(name), graph.outputs().get(name), name).type());
        }
        Dim condition = graph.results().stream()
                .findFirst()
                .flatMap(first -> scope.get(first).integers())
                .filter(values -> values.size() == 1)
                .map(List::getFirst)
                .orElse(Dim.UNKNOWN);
        return new SubgraphResult(trace, outputs, condition);
    }

    private Step call(OpContext op, FunctionProto function) {
        var scope = new Scope(null, LocalFunctions.opsets(function));
        for (int i = 0; i < function.getInputCount(); i++) {
            scope.put(function.getInput(i), op.input(i));
        }
        List<Step> steps = steps(LocalFunctions.nodes(function, op.node()), null, scope);
        List<TensorType> outputs = function.getOutputList().stream()
                .map(name -> scope.get(name).type())
                .toList();
        return new Step(op, outputs, Kind.CALL, List.of(new InferenceTrace(steps)), 1, true);
    }

    private static ValueInfo constant(TensorProto tensor) {
        return new ValueInfo(TensorProtos.type(tensor), DataPropagation.contents(tensor), Optional.of(tensor));
    }

    private static ValueInfo withContents(OpContext op, ValueInfo value) {
        return new ValueInfo(value.type(), DataPropagation.contents(op), constant(op));
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
    private ValueInfo complete(ValueInfo found, TensorType stated, String name) {
        TensorType type = Merge.of(found.type(), stated);
        return new ValueInfo(sizes.bind(type, name), found.integers(), found.constant());
    }

    /**
     * Result of inferring a subgraph: its steps and the types of its outputs.
     *
     * @param condition value of the first output if it is a single tracked integer, otherwise unknown
     */
    record SubgraphResult(InferenceTrace trace, List<TensorType> outputs, Dim condition) {}
}
