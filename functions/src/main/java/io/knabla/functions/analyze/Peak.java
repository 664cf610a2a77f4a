package io.knabla.functions.analyze;

import io.knabla.functions.analyze.CostRule.Traffic;
import io.knabla.functions.graph.Graph;
import io.knabla.functions.graph.Node;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.shape.Trace;
import io.knabla.functions.graph.shape.Trace.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The most bytes that values take at once, if nodes run in the file's order, a value is freed after
 * its last use, and nothing is computed in place. An engine that is cleverer needs less.
 */
final class Peak {
    private final Map<String, Integer> lastUse = new HashMap<>();

    /** A reshaped value is the same memory: both names lead to the one that owns it. */
    private final Map<String, String> owners = new HashMap<>();

    private final Map<String, Long> live = new HashMap<>();
    private long bytes;
    private long peak;

    private Peak() {}

    /** Values that the trace itself makes; what it is given counts with whoever gives it. */
    static long of(Trace trace, Set<String> kept) {
        var peak = new Peak();
        peak.run(trace.steps(), kept);
        return peak.peak;
    }

    private void run(List<Step> steps, Set<String> kept) {
        for (int i = 0; i < steps.size(); i++) {
            prepare(steps.get(i), i);
        }
        for (String name : kept) {
            lastUse.put(owner(name), Integer.MAX_VALUE);
        }
        for (int i = 0; i < steps.size(); i++) {
            step(steps.get(i), i);
        }
    }

    private void prepare(Step step, int index) {
        Node node = step.op().node();
        if (isView(step) && !node.outputs().isEmpty()) {
            owners.put(node.outputs().getFirst(), owner(node.input(0)));
        }
        for (String used : used(node)) {
            lastUse.merge(owner(used), index, Math::max);
        }
    }

    private void step(Step step, int index) {
        Node node = step.op().node();
        long inner = 0;
        for (Trace body : step.bodies()) {
            inner = Math.max(inner, of(body, Set.of()));
        }
        for (int i = 0; i < node.outputs().size(); i++) {
            allocate(node.outputs().get(i), step.outputs().get(i));
        }
        peak = Math.max(peak, Amounts.plus(bytes, inner));
        for (String name : used(node)) {
            release(owner(name), index);
        }
        for (String name : node.outputs()) {
            release(owner(name), index);
        }
    }

    private void allocate(String name, TensorType type) {
        if (!name.isEmpty() && !owners.containsKey(name)) {
            long size = Amounts.bytes(type);
            live.put(name, size);
            bytes = Amounts.plus(bytes, size);
        }
    }

    private void release(String name, int index) {
        if (lastUse.getOrDefault(name, index) <= index) {
            Long size = live.remove(name);
            bytes -= size == null ? 0 : size;
        }
    }

    private String owner(String name) {
        return owners.getOrDefault(name, name);
    }

    private static boolean isView(Step step) {
        return step.op().has(0)
                && switch (step.op().node().qualifiedOp()) {
                    // These read a shape and make a small value of their own.
                    case "Shape", "Size" -> false;
                    default ->
                            CostRules.of(step.op().node().qualifiedOp())
                                    .filter(rule -> rule.traffic() == Traffic.VIEW)
                                    .isPresent();
                };
    }

    /** Inputs, and what subgraphs take from around them. */
    private static Set<String> used(Node node) {
        var used = new HashSet<>(node.inputs());
        for (Graph graph : node.subgraphs().values()) {
            captured(graph, used);
        }
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
