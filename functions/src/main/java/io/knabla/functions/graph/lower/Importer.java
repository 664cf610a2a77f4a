package io.knabla.functions.graph.lower;

import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.graph.Graph;
import io.knabla.functions.graph.Model;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.Problem;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Body;
import io.knabla.functions.graph.ssa.Builder;
import io.knabla.functions.graph.ssa.Dag;
import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Op;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads a model into values, every operation lowered; gathers all that cannot be. */
public final class Importer {
    /** The opset that every operation is written in, unless the file's is newer. */
    public static final long OPSET = 20;

    /** How reading ended. */
    public sealed interface Imported {
        record Read(Dag dag) implements Imported {}

        record Refused(List<Problem> problems) implements Imported {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    private final Model model;
    private final Lowering lowering;
    private final Builder builder;
    private final List<Problem> problems = new ArrayList<>();
    private final Map<String, Value> initializers = new LinkedHashMap<>();

    private Importer(Model model, Lowering lowering) {
        this.model = model;
        this.lowering = lowering;
        this.builder = new Builder(Math.max(OPSET, model.opset()));
    }

    /** The model must have passed the structural checks of packaging. */
    public static Imported read(Model model) {
        return read(model, Lowerings.STANDARD);
    }

    public static Imported read(Model model, Lowering lowering) {
        var importer = new Importer(model, lowering);
        Dag dag = importer.main();
        return importer.problems.isEmpty()
                ? new Imported.Read(dag)
                : new Imported.Refused(importer.problems);
    }

    private Dag main() {
        Graph graph = model.graph();
        var names = new Names(null);
        initializers(graph, names, initializers);
        var inputs = new LinkedHashMap<String, Value>();
        graph.inputs()
                .forEach(
                        (name, type) -> {
                            if (!graph.initializers().containsKey(name)) {
                                inputs.put(name, builder.input(name, type));
                            }
                        });
        names.values.putAll(inputs);
        nodes(graph, names, "graph");
        var outputs = new LinkedHashMap<String, Value>();
        graph.outputs()
                .keySet()
                .forEach(name -> names.find(name).ifPresent(v -> outputs.put(name, v)));
        var domains = new HashMap<>(model.opsets());
        domains.remove("");
        return new Dag(builder, inputs, outputs, initializers, domains);
    }

    private void initializers(Graph graph, Names names, Map<String, Value> into) {
        for (Map.Entry<String, TensorProto> tensor : graph.initializers().entrySet()) {
            Value value = builder.initializer(tensor.getValue());
            names.values.put(tensor.getKey(), value);
            into.put(tensor.getKey(), value);
        }
    }

    private void nodes(Graph graph, Names names, String path) {
        for (Node node : graph.nodes()) {
            List<TensorType> stated = new ArrayList<>();
            for (String output : node.outputs()) {
                TensorType inner = graph.values().get(output);
                stated.add(
                        inner != null
                                ? inner
                                : graph.outputs().getOrDefault(output, TensorType.UNKNOWN));
            }
            try {
                names.define(node.outputs(), made(node, stated, names, path));
            } catch (Refusal refused) {
                problems.add(new Problem(where(path, node), refused.getMessage()));
                names.define(node.outputs(), unknown(stated));
            }
        }
    }

    private static String where(String path, Node node) {
        return "%s.node['%s' %s]".formatted(path, node.name(), node.qualifiedOp());
    }

    /** Stands for what a refused node would have made, so that the rest is checked too. */
    private List<Value> unknown(List<TensorType> stated) {
        return stated.stream().map(type -> builder.input("", type)).toList();
    }

    private List<Value> made(Node node, List<TensorType> stated, Names names, String path) {
        List<Value> inputs = new ArrayList<>();
        for (String input : node.inputs()) {
            inputs.add(
                    input.isEmpty()
                            ? null
                            : names.find(input)
                                    .orElseThrow(
                                            () -> new Refusal("nothing makes '" + input + "'")));
        }
        var spec =
                new Op.Spec(
                        node.name(),
                        node.domain(),
                        node.op(),
                        attributes(node),
                        inputs,
                        bodies(node, names, path));
        long opset = model.opsets().getOrDefault(node.domain(), 0L);
        var call = new Call(spec, opset, node.outputs().size());
        return lowering.lower(new Ops(builder), call)
                .orElseGet(
                        () ->
                                builder.op(spec, node.outputs().size(), node.outputs(), stated)
                                        .outputs());
    }

    private static Attributes attributes(Node node) {
        var plain = new TreeMap<>(node.attributes());
        node.subgraphs().keySet().forEach(plain::remove);
        return new Attributes(plain);
    }

    private Map<String, Body> bodies(Node node, Names names, String path) {
        var bodies = new LinkedHashMap<String, Body>();
        node.subgraphs()
                .forEach(
                        (name, graph) ->
                                bodies.put(
                                        name, body(graph, names, where(path, node) + "." + name)));
        return bodies;
    }

    private Body body(Graph graph, Names outer, String path) {
        var names = new Names(outer);
        initializers(graph, names, new HashMap<>());
        return builder.body(
                List.copyOf(graph.inputs().values()),
                given -> {
                    int i = 0;
                    for (String name : graph.inputs().keySet()) {
                        names.values.putIfAbsent(name, given.get(i++));
                    }
                    nodes(graph, names, path);
                    return graph.outputs().keySet().stream()
                            .map(
                                    name ->
                                            names.find(name)
                                                    .orElseThrow(
                                                            () ->
                                                                    new Refusal(
                                                                            "nothing makes its output '"
                                                                                    + name
                                                                                    + "'")))
                            .toList();
                });
    }

    /** Names of one graph, then of those around it. */
    private static final class Names {
        private final Map<String, Value> values = new HashMap<>();
        private final Names outer;

        Names(Names outer) {
            this.outer = outer;
        }

        java.util.Optional<Value> find(String name) {
            for (Names names = this; names != null; names = names.outer) {
                if (names.values.containsKey(name)) {
                    return java.util.Optional.of(names.values.get(name));
                }
            }
            return java.util.Optional.empty();
        }

        void define(List<String> outputs, List<Value> made) {
            for (int i = 0; i < Math.min(outputs.size(), made.size()); i++) {
                if (!outputs.get(i).isEmpty()) {
                    values.put(outputs.get(i), made.get(i));
                }
            }
        }
    }
}
