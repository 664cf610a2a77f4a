package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Activity analysis: finds the values on a path from the targets to the differentiated results. */
final class Activity {
    private static final int SHOWN = 6;

    private final Set<Value> active;
    private final Map<Value, Op> users = new HashMap<>();

    private Activity(Set<Value> active) {
        this.active = active;
    }

    /** @param ops all operations that the results depend on, in topological order */
    static Activity of(List<Op> ops, Collection<Value> wrt, RuleTable rules) {
        var activity = new Activity(new HashSet<>(wrt));
        for (Op op : ops) {
            boolean reached = op.operands().stream().anyMatch(v -> activity.active(v) && rules.passesAdjoint(op, v));
            if (reached && !rules.isNonDifferentiable(op)) {
                op.outputs().stream().filter(v -> rules.hasAdjoint(op, v)).forEach(activity.active::add);
            }
            op.operands().stream().filter(Objects::nonNull).forEach(v -> activity.users.put(v, op));
        }
        return activity;
    }

    boolean active(Value value) {
        return value != null && active.contains(value);
    }

    boolean active(Op op) {
        return op.outputs().stream().anyMatch(this::active)
                && op.operands().stream().anyMatch(this::active);
    }

    Fault noRule(Op op) {
        return new Fault(
                "graph.node[" + op + "]",
                "has no derivative, and lies on the path %s; choose withRespectTo so that it is not on it, or export the model without this operator"
                        .formatted(path(op)));
    }

    Fault refused(Op op, String why) {
        return new Fault("graph.node[" + op + "]", why + "; it lies on the path " + path(op));
    }

    /** From the result back to the operation, shortened in the middle. */
    private String path(Op op) {
        var steps = new ArrayList<String>();
        var seen = new HashSet<Op>();
        for (Op at = op; at != null && seen.add(at); at = next(at)) {
            steps.addFirst(at.toString());
        }
        if (steps.size() > SHOWN) {
            List<String> last = steps.subList(steps.size() - SHOWN / 2, steps.size());
            List<String> first = steps.subList(0, SHOWN / 2);
            return String.join(" ← ", first) + " ← … ← " + String.join(" ← ", last);
        }
        return String.join(" ← ", steps);
    }

    private Op next(Op op) {
        return op.outputs().stream()
                .filter(this::active)
                .map(users::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
