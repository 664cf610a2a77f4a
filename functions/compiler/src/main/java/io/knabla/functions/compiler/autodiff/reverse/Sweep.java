package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Scope;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;

/**
 * Reverse-mode differentiation: visits operations in reverse topological order and propagates adjoints to their
 * operands. Sums the partial adjoints of every value, applies the rule of its operation, and passes the results to the
 * operands (Griewank and Walther, Evaluating Derivatives, 2008, chapter 3).
 */
public final class Sweep {
    private final Builder builder;
    private final RuleTable rules;
    private final List<Fault> problems;

    public Sweep(Builder builder, RuleTable rules) {
        this(builder, rules, new ArrayList<>());
    }

    private Sweep(Builder builder, RuleTable rules, List<Fault> problems) {
        this.builder = builder;
        this.rules = rules;
        this.problems = problems;
    }

    /** Faults of the operations that could not be differentiated so far, one per operation. */
    public List<Fault> problems() {
        return List.copyOf(problems);
    }

    /**
     * Computes the adjoints of {@code wrt} from those of some results; emits into the builder's current scope.
     *
     * @param forward scope of the operations to differentiate; values of other scopes are constants unless they are in
     *     {@code wrt}
     * @param seeds adjoints of results, in their shapes
     * @return adjoints by value; a value that no result depends on is absent
     */
    public Map<Value, Value> adjoints(Scope forward, Map<Value, Value> seeds, Collection<Value> wrt) {
        List<Op> ops = Reachability.ops(seeds.keySet(), forward);
        var activity = Activity.of(ops, wrt, rules);
        var pending = new HashMap<Value, List<Value>>();
        seeds.forEach((value, seed) -> push(pending, value, seed));
        for (Op op : ops.reversed()) {
            if (activity.active(op)) {
                visit(op, pending, activity);
            }
        }
        var adjoints = new HashMap<Value, Value>();
        wrt.forEach(v -> sumAdjoints(pending, v).ifPresent(adjoint -> adjoints.put(v, adjoint)));
        return adjoints;
    }

    private void visit(Op op, Map<Value, List<Value>> pending, Activity activity) {
        var dy = new ArrayList<Value>();
        op.outputs().forEach(v -> dy.add(sumAdjoints(pending, v).orElse(null)));
        if (dy.stream().allMatch(Objects::isNull)) {
            return;
        }
        List<Value> adjoints = apply(op, dy, activity);
        List<Value> operands = op.operands();
        for (int i = 0; i < Math.min(adjoints.size(), operands.size()); i++) {
            Value operand = operands.get(i);
            if (operand != null
                    && adjoints.get(i) != null
                    && activity.active(operand)
                    && rules.passesAdjoint(op, operand)) {
                push(pending, operand, adjoints.get(i));
            }
        }
    }

    private List<Value> apply(Op op, List<Value> dy, Activity activity) {
        Optional<Rule> rule = rules.find(op);
        if (rule.isEmpty()) {
            problems.add(activity.noRule(op));
            return List.of();
        }
        try {
            return rule.get().adjoints(new RuleContext(builder, activity::active, this), op, dy);
        } catch (UnsupportedOperatorException refused) {
            problems.add(activity.refused(op, refused.getMessage()));
            return List.of();
        } catch (IndexOutOfBoundsException
                | ArithmeticException
                | IllegalArgumentException
                | NoSuchElementException malformed) {
            // The import leaves some nodes unchecked, which the engine would refuse: a Tile with too few repeats.
            problems.add(activity.refused(op, unfit(op)));
            return List.of();
        }
    }

    private static String unfit(Op op) {
        List<Value> inputs = op.presentInputs();
        return "does not fit its inputs, or their sizes are too large: %s"
                .formatted(inputs.stream().map(Value::type).toList());
    }

    private static void push(Map<Value, List<Value>> pending, Value value, Value adjoint) {
        pending.computeIfAbsent(value, _ -> new ArrayList<>()).add(adjoint);
    }

    /** Sums the partial adjoints; a second call returns the same value. */
    private Optional<Value> sumAdjoints(Map<Value, List<Value>> pending, Value value) {
        List<Value> partial = pending.get(value);
        if (partial == null) {
            return Optional.empty();
        }
        Value sum = new Ops(builder).sum(partial);
        pending.put(value, new ArrayList<>(List.of(sum)));
        return Optional.of(sum);
    }
}
