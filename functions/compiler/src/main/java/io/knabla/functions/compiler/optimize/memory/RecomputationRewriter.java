package io.knabla.functions.compiler.optimize.memory;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rewrites the backward pass to read recomputed copies of forward values; the originals need not stay in memory. The
 * copies are computed when the derivatives of all later segments are done.
 */
final class RecomputationRewriter {
    private static final int ANY = Integer.MAX_VALUE;

    private final Dag dag;
    private final ForwardPass forward;
    private final Segments segments;
    private final OptimizationBarriers gates;

    /**
     * All operations in the order of first use; ids do not give it, as operations shared with another plan have old
     * ones.
     */
    private final Set<Op> sequence;

    /** The turn of an operation of the backward pass: the earliest segment that it depends on. */
    private final Map<Op, Integer> turns = new HashMap<>();

    private final Map<Value, Value> copies = new HashMap<>();
    private final Map<Value, Value> rewritten = new HashMap<>();

    /** Operations that run twice. */
    private final List<Op> repeated = new ArrayList<>();

    private RecomputationRewriter(Dag dag, Segments segments) {
        this.dag = dag;
        this.forward = segments.forward();
        this.segments = segments;
        this.sequence = new LinkedHashSet<>(forward.ops());
        this.gates = new OptimizationBarriers(dag.code(), sequence::add);
    }

    /**
     * The rewritten graph.
     *
     * @param sequence operations of the main graph in the order of first use
     * @param repeated operations that run twice
     */
    record Result(Dag dag, List<Op> sequence, List<Op> repeated) {}

    /** @param ops of the main graph, in topological order */
    static Result apply(Dag dag, List<Op> ops, Segments segments) {
        var recomputation = new RecomputationRewriter(dag, segments);
        Dag done = recomputation.run(ops);
        return new Result(done, List.copyOf(recomputation.sequence), List.copyOf(recomputation.repeated));
    }

    private Dag run(List<Op> ops) {
        List<Op> backward = ops.stream()
                .filter(op -> !forward.has(op))
                .sorted(Comparator.comparingInt(Op::id))
                .toList();
        backward.forEach(op -> turns.put(op, turn(op)));
        defer(backward);
        Map<Integer, Set<Value>> ready = ready(backward);
        List<Op> inTurn = backward.stream()
                .sorted(Comparator.comparingInt(op -> -turns.get(op)))
                .toList();
        int gate = segments.last();
        for (Op op : inTurn) {
            while (turns.get(op) < gate) {
                open(--gate, ready);
            }
            rewrite(op);
        }
        var outputs = new LinkedHashMap<String, Value>();
        dag.outputs().forEach((name, value) -> outputs.put(name, now(value)));
        return dag.withOutputs(outputs);
    }

    private int turn(Op op) {
        int turn = ANY;
        for (Value operand : op.operands()) {
            if (operand != null) {
                int segment = segments.recomputedIn(operand);
                turn = Math.min(turn, segment == Segments.SAVED ? pinned(operand) : segment);
                turn = Math.min(turn, operand.producer().map(turns::get).orElse(turn));
            }
        }
        return turn;
    }

    private int pinned(Value saved) {
        int place = forward.position(saved);
        return place >= 0 && segments.segmentAt(place) == segments.last() ? segments.last() : ANY;
    }

    /** Operations that need only saved values run when they are first used. */
    private void defer(List<Op> backward) {
        var wanted = new HashMap<Op, Integer>();
        dag.outputs().values().forEach(v -> v.producer().ifPresent(op -> wanted.put(op, segments.last())));
        for (Op op : backward.reversed()) {
            if (turns.get(op) == ANY) {
                turns.put(op, wanted.getOrDefault(op, 0));
            }
            int turn = turns.get(op);
            for (Value operand : op.operands()) {
                if (operand != null) {
                    operand.producer().ifPresent(from -> wanted.merge(from, turn, Math::max));
                }
            }
        }
    }

    /** By turn, the values that later turns or the caller use. */
    private Map<Integer, Set<Value>> ready(List<Op> backward) {
        var ready = new HashMap<Integer, Set<Value>>();
        var results = new HashSet<>(dag.outputs().values());
        for (Op op : backward) {
            int turn = turns.get(op);
            for (Value operand : op.operands()) {
                if (operand != null) {
                    operand.producer()
                            .map(turns::get)
                            .filter(made -> made > turn)
                            .ifPresent(made -> note(ready, made, operand));
                }
            }
            op.outputs().stream().filter(results::contains).forEach(v -> note(ready, turn, v));
        }
        return ready;
    }

    private static void note(Map<Integer, Set<Value>> ready, int turn, Value value) {
        ready.computeIfAbsent(turn, _ -> new LinkedHashSet<>()).add(value);
    }

    private void open(int gate, Map<Integer, Set<Value>> ready) {
        List<Value> after = ready.getOrDefault(gate + 1, Set.of()).stream()
                .sorted(Comparator.comparingInt(Value::id))
                .map(this::now)
                .toList();
        gates.create(gate, after);
    }

    private Value now(Value value) {
        return rewritten.getOrDefault(value, value);
    }

    private void rewrite(Op op) {
        var operands = new HashMap<Value, Value>();
        for (Value operand : op.operands()) {
            if (operand != null && replacement(operand) != operand) {
                operands.put(operand, replacement(operand));
            }
        }
        if (operands.isEmpty()) {
            sequence.add(op);
        } else {
            List<Value> results = Rewriter.copy(dag.builder(), op, operands).outputs();
            sequence.add(results.getFirst().producer().orElseThrow());
            for (int i = 0; i < results.size(); i++) {
                rewritten.put(op.outputs().get(i), results.get(i));
            }
        }
    }

    private Value replacement(Value operand) {
        int segment = segments.recomputedIn(operand);
        if (segment == Segments.SAVED || !gates.has(segment)) {
            return now(operand);
        }
        if (!copies.containsKey(operand)) {
            missing(operand, segment).forEach(op -> copy(op, segment));
        }
        return copies.get(operand);
    }

    /** Operations of the segment that must be recomputed first, in execution order. */
    private List<Op> missing(Value value, int segment) {
        var found = new HashSet<Op>();
        Deque<Value> todo = new ArrayDeque<>(List.of(value));
        while (!todo.isEmpty()) {
            Value next = todo.pop();
            boolean again = segments.recomputedIn(next) == segment && !copies.containsKey(next);
            if (again && found.add(next.producer().orElseThrow())) {
                next.producer().orElseThrow().presentInputs().forEach(todo::push);
            }
        }
        return found.stream()
                .sorted(Comparator.comparingInt(op -> forward.position(op.output())))
                .toList();
    }

    private void copy(Op op, int segment) {
        List<Value> copied =
                op.presentInputs().stream().filter(copies::containsKey).toList();
        var operands = new HashMap<Value, Value>();
        copied.forEach(v -> operands.put(v, copies.get(v)));
        if (copied.isEmpty()) {
            Value first = op.presentInputs().stream()
                    .filter(forward::dependsOnInputs)
                    .findFirst()
                    .orElseThrow();
            operands.put(first, gates.delay(segment, first));
        }
        List<Value> results = Rewriter.copy(dag.builder(), op, operands).outputs();
        repeated.add(op);
        sequence.add(results.getFirst().producer().orElseThrow());
        for (int i = 0; i < op.outputs().size(); i++) {
            copies.put(op.outputs().get(i), results.get(i));
        }
    }
}
