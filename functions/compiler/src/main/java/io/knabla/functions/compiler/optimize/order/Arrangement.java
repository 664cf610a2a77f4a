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
 * Where operations stand in a file. The engine starts from what feeds nothing else, the last of it first: so what is
 * ready first stands last, and what it has used up is freed before the rest begins.
 *
 * @param file every operation of the main graph
 * @param timetable what becomes of it
 * @param reason why this arrangement
 */
public record Arrangement(List<Op> file, ExecutionSchedule timetable, String reason) {

    /** The one of least peak memory. */
    public static Arrangement of(Dag dag) {
        List<Op> ops = Reachability.ops(dag.outputs().values(), dag.builder().root());
        Arrangement made = of(dag, ops, "as made");
        Arrangement sorted = readiest(dag, ops);
        return sorted.timetable.peak() < made.timetable.peak() ? sorted : made;
    }

    /** @param sequence the operations of the main graph in a topological order; may hold others, too */
    public static Arrangement readiestLast(Dag dag, List<Op> sequence) {
        var reached = new HashSet<>(
                Reachability.ops(dag.outputs().values(), dag.builder().root()));
        return readiest(dag, sequence.stream().filter(reached::contains).toList());
    }

    private static Arrangement readiest(Dag dag, List<Op> ops) {
        return of(dag, readiestLast(ops), "what is ready first is listed last");
    }

    private static Arrangement of(Dag dag, List<Op> file, String reason) {
        return new Arrangement(file, ExecutionSchedule.of(file, dag.outputs().values()), reason);
    }

    /** Of the main graph and all bodies, as the exporter takes them. */
    public List<Op> all(Dag dag) {
        var all = new ArrayList<>(file);
        var there = new HashSet<>(file);
        dag.ops().stream().filter(op -> !there.contains(op)).forEach(all::add);
        return all;
    }

    private static List<Op> readiestLast(List<Op> ops) {
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

    /** Steps from the inputs, if everything ran as soon as it could. */
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
