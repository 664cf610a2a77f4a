package io.knabla.functions.compiler.optimize.order;

import io.knabla.functions.compiler.analyze.ExecutionSchedule;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Order of the operations in an exported file, chosen for low peak memory. The engine starts from operations that feed
 * no other, the last one first: listed last, the earliest-ready one frees its operands before the rest begins.
 *
 * @param file all operations of the main graph, in file order
 * @param schedule predicted execution order and peak memory
 * @param reason why this order
 */
public record NodeOrder(List<Op> file, ExecutionSchedule schedule, String reason) {

    /** Chooses the order with the least peak memory. */
    public static NodeOrder of(Dag dag) {
        List<Op> ops = Reachability.ops(dag.outputs().values(), dag.builder().root());
        NodeOrder made = of(dag, ops, "in original order");
        NodeOrder sorted = earliestReadyOrder(dag, ops);
        return sorted.schedule.peak() < made.schedule.peak() ? sorted : made;
    }

    /** @param sequence the operations of the main graph in a topological order; may contain others, too */
    public static NodeOrder earliestReadyLast(Dag dag, List<Op> sequence) {
        var reached = new HashSet<>(
                Reachability.ops(dag.outputs().values(), dag.builder().root()));
        return earliestReadyOrder(
                dag, sequence.stream().filter(reached::contains).toList());
    }

    private static NodeOrder earliestReadyOrder(Dag dag, List<Op> ops) {
        return of(dag, earliestReadyLast(ops), "operations that are ready first are listed last");
    }

    private static NodeOrder of(Dag dag, List<Op> file, String reason) {
        return new NodeOrder(file, ExecutionSchedule.of(file, dag.outputs().values()), reason);
    }

    /** Operations of the main graph and all bodies, as the exporter expects them. */
    public List<Op> withBodies(Dag dag) {
        var all = new ArrayList<>(file);
        var there = new HashSet<>(file);
        dag.ops().stream().filter(op -> !there.contains(op)).forEach(all::add);
        return all;
    }

    private static List<Op> earliestReadyLast(List<Op> ops) {
        Map<Op, Integer> depths = depths(ops);
        Set<Op> feeding = new HashSet<>();
        for (Op op : ops) {
            for (Value operand : op.operands()) {
                if (operand != null) {
                    operand.producer().ifPresent(feeding::add);
                }
            }
        }
        var file = new ArrayList<Op>();
        var leaves = new ArrayList<Op>();
        ops.forEach(op -> (feeding.contains(op) ? file : leaves).add(op));
        java.util.Collections.reverse(leaves);
        leaves.sort(Comparator.<Op>comparingInt(depths::get).reversed());
        file.addAll(leaves);
        return file;
    }

    /** Steps from the inputs, if everything runs as soon as it can. */
    private static Map<Op, Integer> depths(List<Op> ops) {
        var depths = new HashMap<Op, Integer>();
        for (Op op : ops) {
            int depth = 0;
            for (Value operand : op.operands()) {
                if (operand != null) {
                    depth = Math.max(
                            depth,
                            operand.producer()
                                    .map(from -> depths.getOrDefault(from, 0) + 1)
                                    .orElse(0));
                }
            }
            depths.put(op, depth);
        }
        return depths;
    }
}
