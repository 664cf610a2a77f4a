package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Backward;
import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Rewriter;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules of operations that are told in terms of others: that account is differentiated, while the engine's own kernel
 * stays in the forward part.
 */
final class Composite {
    private Composite() {}

    /** The first output of an operation in terms of others. */
    @FunctionalInterface
    interface Account {
        Value of(Backward at, Op op, List<Value> inputs);
    }

    static Rule rule(Account account) {
        return (at, op, dy) -> dy.getFirst() == null ? List.of() : adjoints(at, op, dy, account);
    }

    /** Inputs are stood in for while differentiating, as one of them may depend on another. */
    private static List<Value> adjoints(Backward at, Op op, List<Value> dy, Account account) {
        var inputs = new ArrayList<Value>();
        var standing = new HashMap<Value, Value>();
        for (int i = 0; i < op.inputs().size(); i++) {
            Value input = op.input(i);
            boolean wanted = at.wants(op, i);
            Value stand = wanted ? at.builder().input("", input.type()) : input;
            inputs.add(stand);
            if (wanted) {
                standing.put(stand, input);
            }
        }
        Value made = account.of(at, op, inputs);
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
