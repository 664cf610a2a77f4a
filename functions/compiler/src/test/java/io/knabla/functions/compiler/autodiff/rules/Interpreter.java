package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.interpreter.Evaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Body;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs a graph on the reference evaluator, in the precision of its types; control flow along axis 0. */
final class Interpreter {
    private final Map<Value, NdArray> known = new HashMap<>();

    private Interpreter() {}

    static Map<String, NdArray> run(Dag dag, Map<String, NdArray> feeds) {
        var interpreter = new Interpreter();
        dag.inputs().forEach((name, value) -> interpreter.known.put(value, feeds.get(name)));
        interpreter.ops(Reachability.ops(dag.outputs().values(), dag.builder().root()));
        var found = new LinkedHashMap<String, NdArray>();
        dag.outputs().forEach((name, value) -> found.put(name, interpreter.get(value)));
        return found;
    }

    private void ops(List<Op> ops) {
        for (Op op : ops) {
            List<NdArray> results = run(op);
            for (int i = 0; i < Math.min(results.size(), op.outputs().size()); i++) {
                known.put(op.output(i), results.get(i));
            }
        }
    }

    private NdArray get(Value value) {
        return value == null
                ? null
                : known.computeIfAbsent(value, v -> NdArray.of(v.constant().orElseThrow()));
    }

    private List<NdArray> run(Op op) {
        List<NdArray> inputs = new ArrayList<>();
        op.inputs().forEach(v -> inputs.add(get(v)));
        return switch (op.type()) {
            case "If" -> body(op.body(inputs.getFirst().truth(0) ? "then_branch" : "else_branch"), List.of());
            case "Scan" -> scan(op, inputs);
            case "Loop" -> loop(op, inputs);
            default ->
                Evaluator.evaluate(op.type(), op.attributes().values(), inputs)
                        .orElseThrow(() -> new AssertionError("no evaluator for " + op));
        };
    }

    private List<NdArray> body(Body body, List<NdArray> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            known.put(body.parameters().get(i), arguments.get(i));
        }
        ops(Reachability.ops(body.outputs(), body.scope()));
        return body.outputs().stream().map(this::get).toList();
    }

    private List<NdArray> scan(Op op, List<NdArray> inputs) {
        int scanned = (int) op.attributes().integer("num_scan_inputs", 0);
        int states = inputs.size() - scanned;
        int collected = op.outputs().size() - states;
        List<Long> in = directions(op, "scan_input_directions", scanned);
        List<Long> out = directions(op, "scan_output_directions", collected);
        int steps = inputs.getLast().dim(0);
        List<NdArray> carried = new ArrayList<>(inputs.subList(0, states));
        List<List<NdArray>> rows = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            List<NdArray> arguments = new ArrayList<>(carried);
            for (int i = 0; i < scanned; i++) {
                int at = in.get(i) == 0 ? step : steps - 1 - step;
                arguments.add(row(inputs.get(states + i), at));
            }
            List<NdArray> results = body(op.body("body"), arguments);
            carried = new ArrayList<>(results.subList(0, states));
            rows.add(results.subList(states, results.size()));
        }
        return joined(carried, rows, out);
    }

    private List<NdArray> loop(Op op, List<NdArray> inputs) {
        long limit = inputs.get(0) == null ? Long.MAX_VALUE : inputs.get(0).whole(0);
        boolean more =
                inputs.size() < 2 || inputs.get(1) == null || inputs.get(1).truth(0);
        List<NdArray> carried = new ArrayList<>(inputs.subList(2, inputs.size()));
        int states = carried.size();
        List<List<NdArray>> rows = new ArrayList<>();
        for (long step = 0; more && step < limit; step++) {
            List<NdArray> arguments = new ArrayList<>();
            arguments.add(NdArray.scalar(io.knabla.functions.compiler.onnx.ElementType.INT64, step));
            arguments.add(NdArray.scalar(io.knabla.functions.compiler.onnx.ElementType.BOOL, 1));
            arguments.addAll(carried);
            List<NdArray> results = body(op.body("body"), arguments);
            more = results.getFirst().truth(0);
            carried = new ArrayList<>(results.subList(1, 1 + states));
            rows.add(results.subList(1 + states, results.size()));
        }
        int collected = op.outputs().size() - states;
        return joined(carried, rows, java.util.Collections.nCopies(collected, 0L));
    }

    private static List<Long> directions(Op op, String attribute, int count) {
        return op.attributes().integers(attribute).orElseGet(() -> java.util.Collections.nCopies(count, 0L));
    }

    private static NdArray row(NdArray of, int index) {
        int[] dims = Arrays.copyOfRange(of.dims(), 1, of.rank());
        int size = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
        return of.pick(dims, i -> index * size + i);
    }

    private static List<NdArray> joined(List<NdArray> carried, List<List<NdArray>> rows, List<Long> directions) {
        var results = new ArrayList<>(carried);
        for (int i = 0; i < directions.size(); i++) {
            int column = i;
            List<NdArray> parts = rows.stream().map(row -> row.get(column)).toList();
            results.add(stacked(directions.get(i) == 0 ? parts : parts.reversed()));
        }
        return results;
    }

    private static NdArray stacked(List<NdArray> parts) {
        NdArray first = parts.getFirst();
        int[] dims = IntStream.concat(IntStream.of(parts.size()), IntStream.of(first.dims()))
                .toArray();
        if (first.element().isFloat()) {
            double[] all = parts.stream()
                    .flatMapToDouble(p -> Arrays.stream(p.reals()))
                    .toArray();
            return NdArray.reals(first.element(), dims, all);
        }
        long[] all = parts.stream().flatMapToLong(p -> Arrays.stream(p.whole())).toArray();
        return NdArray.whole(first.element(), dims, all);
    }
}
