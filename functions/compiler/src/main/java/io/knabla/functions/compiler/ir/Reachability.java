package io.knabla.functions.compiler.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the operations that values depend on. */
public final class Reachability {
    private Reachability() {}

    /**
     * Returns all operations that these values of one builder depend on, including those in bodies, in topological
     * order.
     */
    public static List<Op> ops(Collection<Value> values) {
        var seen = new BitSet();
        var ops = new ArrayList<Op>();
        Deque<Value> todo = new ArrayDeque<>(values);
        while (!todo.isEmpty()) {
            Op op = todo.pop().producer().orElse(null);
            if (op != null && !seen.get(op.id())) {
                seen.set(op.id());
                ops.add(op);
                operands(op, todo);
            }
        }
        ops.sort(Comparator.comparingInt(Op::id));
        return ops;
    }

    /** Likewise, but only operations of one scope. */
    public static List<Op> ops(Collection<Value> values, Scope scope) {
        return ops(values).stream().filter(op -> op.scope().equals(scope)).toList();
    }

    private static void operands(Op op, Deque<Value> todo) {
        todo.addAll(op.presentInputs());
        op.bodies().values().forEach(body -> todo.addAll(body.outputs()));
    }

    /** Adds the values from outside the body that it uses. */
    static void captures(Body body, Set<Value> found) {
        var inside = new HashSet<>(body.parameters());
        for (Value output : body.outputs()) {
            capture(output, body, inside, found);
        }
        for (Op op : ops(body.outputs())) {
            if (op.scope().sees(body.scope())) {
                op.presentInputs().forEach(v -> capture(v, body, inside, found));
                op.bodies().values().forEach(b -> b.outputs().forEach(v -> capture(v, body, inside, found)));
            }
        }
    }

    private static void capture(Value value, Body body, Set<Value> inside, Set<Value> found) {
        if (!inside.contains(value) && !value.scope().sees(body.scope()) && !nameless(value)) {
            found.add(value);
        }
    }

    /** Constants of the file have names and count as captures: they may become inputs or be differentiated. */
    private static boolean nameless(Value value) {
        return value.constant().isPresent() && value.name().isEmpty();
    }
}
