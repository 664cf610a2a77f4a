package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.Liveness.Sharing;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.InferenceTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Computes the peak memory of a traced graph in the engine's execution order. */
final class PeakMemory {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Long> bytes = new ArrayList<>();
    private final List<Integer> kinds = new ArrayList<>();
    private final Map<List<Object>, Integer> kindsByShape = new HashMap<>();
    private final Map<String, Integer> makers = new HashMap<>();

    private PeakMemory() {}

    /** Counts the values that the trace computes; its inputs count where they were computed. */
    static long of(InferenceTrace trace, Set<String> kept) {
        return new PeakMemory().run(trace.steps(), kept);
    }

    private long run(List<InferenceTrace.Step> steps, Set<String> kept) {
        var inTurn = new ArrayList<Liveness.Step>();
        for (int node : order(steps)) {
            inTurn.add(step(steps.get(node)));
        }
        int[] results = numbers(kept);
        long[] sizes = bytes.stream().mapToLong(Long::longValue).toArray();
        // The engine gives every result its own buffer and keeps it to the end.
        inTurn.add(new Liveness.Step(results, new int[0], Sharing.OWN));
        Arrays.stream(results).forEach(result -> kinds.set(result, BufferPlanner.ALONE));
        return Liveness.peak(
                inTurn, sizes, kinds.stream().mapToInt(Integer::intValue).toArray(), new int[0]);
    }

    private int[] order(List<InferenceTrace.Step> steps) {
        var sources = new ArrayList<int[]>();
        for (int i = 0; i < steps.size(); i++) {
            for (String output : steps.get(i).op().node().outputs()) {
                makers.put(output, i);
            }
            makers.remove("");
        }
        for (InferenceTrace.Step step : steps) {
            sources.add(used(step.op().node()).stream()
                    .map(makers::get)
                    .filter(Objects::nonNull)
                    .mapToInt(Integer::intValue)
                    .toArray());
        }
        return EngineOrder.of(sources);
    }

    private Liveness.Step step(InferenceTrace.Step step) {
        Node node = step.op().node();
        long inside = 0;
        for (InferenceTrace body : step.bodies()) {
            inside = Math.max(inside, of(body, Set.of()));
        }
        var writes = new ArrayList<Integer>();
        for (int i = 0; i < node.outputs().size(); i++) {
            if (!node.outputs().get(i).isEmpty()) {
                writes.add(number(node.outputs().get(i), step.outputs().get(i)));
            }
        }
        // An operator may reuse the buffer of its first input.
        Sharing sharing = step.op().has(0) && !writes.isEmpty() ? KernelSharing.of(node.qualifiedOp()) : Sharing.OWN;
        int[] written = writes.stream().mapToInt(Integer::intValue).toArray();
        return new Liveness.Step(numbers(used(node)), written, sharing, inside);
    }

    private int number(String name, TensorType type) {
        int number = number(name);
        bytes.set(number, SaturatingMath.bytes(type));
        type.shape()
                .filter(shape -> shape.rank() > 0)
                .map(shape -> List.of(shape.dims(), type.element().bits()))
                .map(kind -> kindsByShape.computeIfAbsent(kind, _ -> kindsByShape.size()))
                .ifPresent(kind -> kinds.set(number, kind));
        return number;
    }

    private int number(String name) {
        Integer there = numbers.putIfAbsent(name, numbers.size());
        if (there == null) {
            bytes.add(0L);
            kinds.add(BufferPlanner.ALONE);
        }
        return numbers.get(name);
    }

    private int[] numbers(Collection<String> names) {
        return names.stream().mapToInt(this::number).toArray();
    }

    /** Inputs in order, then the outer values that subgraphs read. */
    private static Set<String> used(Node node) {
        Set<String> used = new LinkedHashSet<>(node.inputs());
        for (Graph graph : node.subgraphs().values()) {
            captured(graph, used);
        }
        used.remove("");
        return used;
    }

    private static void captured(Graph graph, Set<String> used) {
        used.addAll(graph.outputs().keySet());
        for (Node node : graph.nodes()) {
            used.addAll(node.inputs());
            for (Graph inner : node.subgraphs().values()) {
                captured(inner, used);
            }
        }
    }
}
