package io.knabla.functions.compiler.cuda;

import ai.onnx.proto.OnnxMl.FunctionProto;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.InferenceTrace;
import io.knabla.functions.compiler.shape.InferenceTrace.Kind;
import io.knabla.functions.compiler.shape.InferenceTrace.Step;
import io.knabla.functions.compiler.shape.OpContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Nodes of one graph in order, calls of local functions expanded as ONNX Runtime does when it loads a model.
 *
 * @param inputs names of the graph's inputs
 * @param results names of the graph's outputs
 * @param constants names of its initializers, and of those of graphs around it
 */
record FlatGraph(List<FlatNode> nodes, Set<String> inputs, Set<String> results, Set<String> constants) {

    /**
     * One node.
     *
     * @param name path through functions and bodies
     * @param inputs names of values, unique in the graph; "" if omitted
     */
    record FlatNode(String name, OpContext op, List<String> inputs, List<String> outputs, Step step) {
        List<TensorType> outputTypes() {
            return step.outputs();
        }

        List<ElementType> inputElements() {
            var elements = new ArrayList<ElementType>();
            for (int i = 0; i < inputs.size(); i++) {
                elements.add(inputs.get(i).isEmpty() ? ElementType.UNDEFINED : op.element(i));
            }
            return elements;
        }

        List<ElementType> outputElements() {
            return outputTypes().stream().map(TensorType::element).toList();
        }

        TensorType inputType(int index) {
            return op.input(index).type();
        }
    }

    static FlatGraph of(Model model, InferenceTrace trace) {
        Graph graph = model.graph();
        var inputs = new LinkedHashSet<>(graph.inputs().keySet());
        inputs.removeAll(graph.initializers().keySet());
        return new FlatGraph(
                new Expansion(model).nodes(trace, "", Map.of()),
                inputs,
                Set.copyOf(graph.results()),
                Set.copyOf(graph.initializers().keySet()));
    }

    /** A body of a node, whose nodes read values of this graph, too. */
    FlatGraph body(Model model, FlatNode owner, InferenceTrace trace) {
        Collection<Graph> graphs = owner.op().node().subgraphs().values();
        var inputs = new LinkedHashSet<String>();
        var results = new LinkedHashSet<String>();
        var known = new LinkedHashSet<>(constants);
        for (Graph graph : graphs) {
            inputs.addAll(graph.inputs().keySet());
            results.addAll(graph.results());
            known.addAll(graph.initializers().keySet());
        }
        known.removeAll(inputs);
        return new FlatGraph(new Expansion(model).nodes(trace, owner.name() + "/", Map.of()), inputs, results, known);
    }

    /** Expands calls of local functions. */
    private record Expansion(Model model) {
        /** @param names what values of the function are called in the graph */
        List<FlatNode> nodes(InferenceTrace trace, String path, Map<String, String> names) {
            var nodes = new ArrayList<FlatNode>();
            for (Step step : trace.steps()) {
                var node = new FlatNode(
                        path + label(step.op().node()),
                        step.op(),
                        renamed(step.op().node().inputs(), path, names),
                        renamed(step.op().node().outputs(), path, names),
                        step);
                if (step.kind() == Kind.CALL) {
                    nodes.addAll(called(node, step));
                } else {
                    nodes.add(node);
                }
            }
            return nodes;
        }

        private List<FlatNode> called(FlatNode call, Step step) {
            Node node = step.op().node();
            Optional<FunctionProto> function = model.function(node.domain(), node.op(), node.overload());
            var names = new HashMap<String, String>();
            function.ifPresent(f -> {
                bind(f.getInputList(), call.inputs(), names);
                bind(f.getOutputList(), call.outputs(), names);
            });
            // A path marks the names as a function's own, so that the graph's values keep theirs.
            return nodes(step.bodies().getFirst(), call.name() + "/", names);
        }

        private static void bind(List<String> formal, List<String> actual, Map<String, String> names) {
            for (int i = 0; i < formal.size(); i++) {
                names.put(formal.get(i), i < actual.size() ? actual.get(i) : "");
            }
        }

        /** Bodies of control flow share the names of the graph, functions do not. */
        private static List<String> renamed(List<String> values, String path, Map<String, String> names) {
            return values.stream()
                    .map(name -> name.isEmpty() || names.isEmpty() ? name : names.getOrDefault(name, path + name))
                    .toList();
        }

        private static String label(Node node) {
            if (!node.name().isEmpty()) {
                return node.name();
            }
            return node.outputs().isEmpty() ? node.op() : node.outputs().getFirst();
        }
    }
}
