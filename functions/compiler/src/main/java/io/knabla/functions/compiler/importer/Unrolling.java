package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lowers control flow: inlines branches with a known condition, unrolls short loops with a known number of iterations.
 */
final class Unrolling {
    private static final int MAX_ROUNDS = 64;

    /** Nodes that unrolling may add to a model. */
    private static final int BUDGET = 20_000;

    private final GraphReader reading;
    private int left = BUDGET;

    Unrolling(GraphReader reading) {
        this.reading = reading;
    }

    /** Returns the values of the node's outputs, or empty if the node must stay. */
    Optional<List<Value>> unrolled(Node node, List<Value> inputs, ImportContext place) {
        return switch (node.qualifiedOp()) {
            case "If" -> branch(node, inputs, place);
            case "Loop" -> loop(node, inputs, place);
            case "SequenceMap" -> map(node, inputs, place);
            default -> Optional.empty();
        };
    }

    private Optional<List<Value>> branch(Node node, List<Value> inputs, ImportContext place) {
        Optional<Boolean> condition = inputs.isEmpty() ? Optional.empty() : known(inputs.getFirst());
        if (condition.isEmpty()) {
            return Optional.empty();
        }
        String taken = condition.get() ? "then_branch" : "else_branch";
        Graph graph = node.subgraphs().get(taken);
        if (graph == null) {
            return Optional.empty();
        }
        var names = new SymbolTable(place.names());
        return Optional.of(reading.inlined(graph, names, place.inner(graph, names, node, taken)));
    }

    private static Optional<Boolean> known(Value condition) {
        return condition == null ? Optional.of(true) : ConstantEvaluation.condition(condition);
    }

    /** Inlines the body once per iteration, with the carried values of the previous one. */
    private Optional<List<Value>> loop(Node node, List<Value> inputs, ImportContext place) {
        Graph body = node.subgraphs().get("body");
        Value count = inputs.isEmpty() ? null : inputs.getFirst();
        Optional<Long> stated = count == null ? Optional.empty() : ConstantEvaluation.integer(count);
        if (body == null || count != null && stated.isEmpty()) {
            return Optional.empty();
        }
        long rounds = stated.orElse(Long.MAX_VALUE);
        long most = Math.min(rounds, MAX_ROUNDS);
        if (stated.isPresent() && rounds > MAX_ROUNDS || most * size(body) > left) {
            return Optional.empty();
        }
        int problems = reading.problems();
        Optional<List<Value>> made = new Iterations(node, body, place, inputs).run(rounds, most);
        if (made.isEmpty()) {
            reading.discardProblems(problems);
        }
        return made;
    }

    /** Inlines the body once per element; further sequences supply their element at the same position. */
    private Optional<List<Value>> map(Node node, List<Value> inputs, ImportContext place) {
        Graph body = node.subgraphs().get("body");
        SequenceLowering lists = reading.lists();
        List<Value> first =
                inputs.isEmpty() ? null : lists.elements(inputs.getFirst()).orElse(null);
        if (body == null || first == null || first.isEmpty() || first.size() * size(body) > left) {
            return Optional.empty();
        }
        var columns = new ArrayList<List<Value>>();
        body.results().forEach(_ -> columns.add(new ArrayList<>()));
        for (int i = 0; i < first.size(); i++) {
            left -= (int) size(body);
            var names = new SymbolTable(place.names());
            int input = 0;
            for (String name : body.inputs().keySet()) {
                Value given = inputs.get(input++);
                List<Value> elements = lists.elements(given).orElse(null);
                names.put(name, elements == null ? given : elements.get(i));
            }
            List<Value> made = reading.inlined(body, names, place.inner(body, names, node, "body"));
            for (int j = 0; j < made.size(); j++) {
                columns.get(j).add(made.get(j));
            }
        }
        return Optional.of(
                columns.stream().map(c -> lists.sequence(reading.code(), c)).toList());
    }

    private static long size(Graph graph) {
        long size = 1;
        for (Node node : graph.nodes()) {
            size++;
            for (Graph inner : node.subgraphs().values()) {
                size += size(inner);
            }
        }
        return size;
    }

    /** Unrolled iterations of one loop. */
    private final class Iterations {
        private final Node node;
        private final Graph body;
        private final ImportContext place;
        private final List<Value> inputs;
        private final int carriedCount;
        private List<Value> carried;
        private final List<List<Value>> collected = new ArrayList<>();

        Iterations(Node node, Graph body, ImportContext place, List<Value> inputs) {
            this.node = node;
            this.body = body;
            this.place = place;
            this.inputs = inputs;
            this.carriedCount = Math.max(0, inputs.size() - 2);
            this.carried = inputs.subList(Math.min(2, inputs.size()), inputs.size());
        }

        /** Empty if it is unknown whether another iteration follows. */
        Optional<List<Value>> run(long rounds, long most) {
            Value condition = inputs.size() > 1 ? inputs.get(1) : null;
            long done = 0;
            while (true) {
                Optional<Boolean> goesOn = known(condition);
                if (goesOn.isEmpty() || goesOn.get() && done == most && done < rounds) {
                    return Optional.empty();
                }
                if (!goesOn.get() || done == rounds) {
                    return outputs(done);
                }
                condition = round(done++);
            }
        }

        private Value round(long number) {
            left -= (int) size(body);
            Ops code = reading.code();
            var names = new SymbolTable(place.names());
            List<Value> given = new ArrayList<>();
            given.add(code.integer(number));
            given.add(code.scalar(io.knabla.functions.compiler.onnx.ElementType.BOOL, 1));
            given.addAll(carried);
            int i = 0;
            for (String name : body.inputs().keySet()) {
                names.put(name, given.get(i++));
            }
            List<Value> made = reading.inlined(body, names, place.inner(body, names, node, "body"));
            carried = made.subList(1, carriedCount + 1);
            collected.add(made.subList(carriedCount + 1, made.size()));
            return made.getFirst();
        }

        private Optional<List<Value>> outputs(long done) {
            int scanned = body.results().size() - 1 - carriedCount;
            if (done == 0 && scanned > 0) {
                return Optional.empty();
            }
            Ops code = reading.code();
            var outputs = new ArrayList<>(carried);
            for (int i = 0; i < scanned; i++) {
                int output = i;
                outputs.add(code.concat(
                        0,
                        collected.stream()
                                .map(round -> code.unsqueeze(round.get(output), 0))
                                .toList()));
            }
            return Optional.of(outputs);
        }
    }
}
