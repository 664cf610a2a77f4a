package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Derivative rules of composite operators: differentiates their decomposition into other operators, while the forward
 * pass keeps the engine's own kernel.
 */
final class CompositeRule {
    private CompositeRule() {}

    /** Emits the first output of an operation in terms of other operators. */
    @FunctionalInterface
    interface Decomposition {
        Value decompose(RuleContext at, Op op, List<Value> inputs);
    }

    static Rule rule(Decomposition account) {
        return (at, op, dy) -> dy.getFirst() == null ? List.of() : adjoints(at, op, dy, account);
    }

    /** Differentiates with placeholders for the inputs, as one of them may depend on another. */
    private static List<Value> adjoints(RuleContext at, Op op, List<Value> dy, Decomposition account) {
        var inputs = new ArrayList<Value>();
        var standing = new HashMap<Value, Value>();
        for (int i = 0; i < op.inputs().size(); i++) {
            Value input = op.input(i);
            boolean wanted = at.needsAdjoint(op, i);
            Value stand = wanted ? at.builder().input("", input.type()) : input;
            inputs.add(stand);
            if (wanted) {
                standing.put(stand, input);
            }
        }
        Value made = account.decompose(at, op, inputs);
        Map<Value, Value> found = at.sweep()
                .adjoints(at.builder().current(), Map.of(made, at.reshapeLike(dy.getFirst(), made)), standing.keySet());
        var values = List.copyOf(found.entrySet());
        List<Value> real = Rewriter.substitute(
                at.builder(), values.stream().map(Map.Entry::getValue).toList(), standing);
        var adjoints = new ArrayList<Value>();
        inputs.forEach(input -> {
            int index = values.stream().map(Map.Entry::getKey).toList().indexOf(input);
            adjoints.add(index < 0 ? null : real.get(index));
        });
        return adjoints;
    }
}
