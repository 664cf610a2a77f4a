package io.knabla.functions.compiler.importer;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.Fault;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.shape.LocalFunctions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;

/** Imports the nodes of a file's graphs and functions in order. */
final class GraphReader {
    private static final int MAX_DEPTH = 64;

    /** More problems than anybody reads at once. */
    private static final int MAX_PROBLEMS = 200;

    /** Bound on imported nodes; those of functions and unrolled loops count at every expansion. */
    private static final int MAX_NODES = 400_000;

    private final Model model;
    private final Builder builder;
    private final SequenceLowering lists;
    private final List<Fault> problems;
    private final Deque<FunctionProto> calls = new ArrayDeque<>();
    private final Unrolling unrolling = new Unrolling(this);
    private int nodes;

    GraphReader(Model model, Builder builder, SequenceLowering lists, List<Fault> problems) {
        this.model = model;
        this.builder = builder;
        this.lists = lists;
        this.problems = problems;
    }

    Ops code() {
        return new Ops(builder);
    }

    SequenceLowering lists() {
        return lists;
    }

    /** Number of problems so far; {@link #discardProblems} discards later ones. */
    int problems() {
        return problems.size();
    }

    void discardProblems(int since) {
        problems.subList(since, problems.size()).clear();
    }

    Map<String, Value> initializers(Graph graph, SymbolTable names) {
        var made = new LinkedHashMap<String, Value>();
        for (Map.Entry<String, TensorProto> tensor : graph.initializers().entrySet()) {
            made.put(tensor.getKey(), builder.initializer(tensor.getValue()));
        }
        made.forEach(names::put);
        return made;
    }

    void nodes(List<Node> list, ImportContext place) {
        for (Node node : list) {
            try {
                place.names().define(node.outputs(), made(node, place));
            } catch (UnsupportedOperatorException refused) {
                refused(node, place, refused.getMessage());
            } catch (IndexOutOfBoundsException
                    | ArithmeticException
                    | IllegalArgumentException
                    | NoSuchElementException
                    | NegativeArraySizeException
                    | NullPointerException
                    | EvaluationException malformed) {
                refused(
                        node,
                        place,
                        "is malformed: its inputs and attributes do not fit the operator" + detail(malformed));
            }
        }
    }

    private static String detail(RuntimeException malformed) {
        return malformed instanceof EvaluationException ? " (" + malformed.getMessage() + ")" : "";
    }

    /**
     * Reports a problem and defines placeholders for the node's outputs, which lets the import check the remaining
     * nodes.
     */
    private void refused(Node node, ImportContext place, String why) {
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(new Fault(place.pathOf(node), why));
        }
        var stand =
                place.stated(node).stream().map(type -> builder.input("", type)).toList();
        place.names().define(node.outputs(), stand);
    }

    private List<Value> made(Node node, ImportContext place) {
        if (++nodes > MAX_NODES || place.depth() > MAX_DEPTH) {
            throw new UnsupportedOperatorException("is nested too deep, or the expanded model has too many nodes");
        }
        List<Value> inputs = new ArrayList<>();
        for (String input : node.inputs()) {
            inputs.add(place.names().isOmitted(input) ? null : place.names().get(input));
        }
        Optional<FunctionProto> function = model.function(node.domain(), node.op(), node.overload());
        if (function.isPresent()) {
            return called(node, function.get(), inputs, place);
        }
        Optional<List<Value>> unrolled =
                node.subgraphs().isEmpty() ? Optional.empty() : unrolling.unrolled(node, inputs, place);
        return unrolled.orElseGet(() -> operation(node, inputs, place));
    }

    private List<Value> called(Node node, FunctionProto function, List<Value> inputs, ImportContext place) {
        var names = new SymbolTable(null);
        for (int i = 0; i < Math.min(inputs.size(), function.getInputCount()); i++) {
            names.put(function.getInput(i), inputs.get(i));
        }
        for (int i = inputs.size(); i < function.getInputCount(); i++) {
            names.put(function.getInput(i), null);
        }
        if (calls.stream().anyMatch(call -> call == function)) {
            throw new UnsupportedOperatorException("calls itself; a function of a model must not be recursive");
        }
        calls.push(function);
        try {
            ImportContext inside = place.function(node, names, LocalFunctions.opsets(function));
            nodes(LocalFunctions.nodes(function, node), inside);
        } finally {
            calls.pop();
        }
        return function.getOutputList().stream().map(names::get).toList();
    }

    /** Imports a subgraph in place of its node; its values then belong to the enclosing graph. */
    List<Value> inlined(Graph graph, SymbolTable names, ImportContext inside) {
        initializers(graph, names);
        nodes(graph.nodes(), inside);
        return graph.results().stream().map(names::get).toList();
    }

    private List<Value> operation(Node node, List<Value> inputs, ImportContext place) {
        var spec = new Op.Spec(node.name(), node.domain(), node.op(), attributes(node), inputs, bodies(node, place));
        var call = new Call(spec, place.opset(node.domain()), node.outputs().size());
        return lists.lower(code(), call)
                .orElseGet(() -> builder.op(spec, node.outputs().size(), node.outputs(), place.stated(node))
                        .outputs());
    }

    private static Attributes attributes(Node node) {
        var plain = new TreeMap<>(node.attributes());
        node.subgraphs().keySet().forEach(plain::remove);
        return new Attributes(plain);
    }

    private Map<String, Body> bodies(Node node, ImportContext place) {
        var bodies = new LinkedHashMap<String, Body>();
        for (String attribute : node.subgraphs().keySet().stream().sorted().toList()) {
            bodies.put(attribute, body(node, attribute, place));
        }
        return bodies;
    }

    private Body body(Node node, String attribute, ImportContext place) {
        Graph graph = node.subgraphs().get(attribute);
        var names = new SymbolTable(place.names());
        initializers(graph, names);
        return builder.body(List.copyOf(graph.inputs().values()), given -> {
            int i = 0;
            for (String name : graph.inputs().keySet()) {
                Value parameter = given.get(i++);
                if (!names.declaresLocally(name)) {
                    names.put(name, parameter);
                }
            }
            nodes(graph.nodes(), place.inner(graph, names, node, attribute));
            return graph.results().stream().map(names::get).toList();
        });
    }
}
