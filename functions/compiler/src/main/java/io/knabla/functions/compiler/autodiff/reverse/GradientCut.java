package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Scope;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Explains why no gradient reaches a value: the results do not use it, or only behind operators that pass none. */
public final class GradientCut {
    private static final int SHOWN = 3;

    private GradientCut() {}

    /**
     * @param results values to differentiate
     * @param forward scope of the operations
     */
    public static String explain(Value target, Collection<Value> results, Scope forward, RuleTable rules) {
        List<Op> cuts = cuts(target, Reachability.ops(results, forward), rules);
        if (cuts.isEmpty()) {
            return "the loss does not depend on it; leave it out of withRespectTo, or set unreachable: Zero";
        }
        return "the loss depends on it only through %s, which %s no gradient back: a result that is an integer or changes in steps has none; export the model without %s, leave it out of withRespectTo, or set unreachable: Zero%s"
                .formatted(
                        cuts.stream().limit(SHOWN).map(Op::toString).collect(Collectors.joining(", "))
                                + (cuts.size() > SHOWN ? " and %d more".formatted(cuts.size() - SHOWN) : ""),
                        cuts.size() == 1 ? "passes" : "pass",
                        cuts.size() == 1 ? "it" : "them",
                        cuts.stream().anyMatch(op -> op.type().equals("QuantizeLinear"))
                                ? "; straightThrough: true estimates gradients through QuantizeLinear"
                                : "");
    }

    private static List<Op> cuts(Value target, List<Op> ops, RuleTable rules) {
        Set<Value> reached = new HashSet<>(Set.of(target));
        var cuts = new ArrayList<Op>();
        for (Op op : ops) {
            if (op.operands().stream().noneMatch(reached::contains)) {
                continue;
            }
            if (rules.isNonDifferentiable(op) || op.outputs().stream().noneMatch(v -> rules.hasAdjoint(op, v))) {
                cuts.add(op);
            } else {
                op.outputs().stream().filter(v -> rules.hasAdjoint(op, v)).forEach(reached::add);
            }
        }
        return cuts;
    }
}
