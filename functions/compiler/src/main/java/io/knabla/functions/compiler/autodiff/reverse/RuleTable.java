package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Op;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks up the derivative rule of an operator. */
public final class RuleTable {
    private final Map<String, Rule> rules;

    public RuleTable(Map<String, Rule> rules) {
        this.rules = Map.copyOf(rules);
    }

    Optional<Rule> find(Op op) {
        return Optional.ofNullable(rules.get(key(op)));
    }

    /** Whether the operator has no derivative anywhere: comparisons, shapes, rounding. */
    boolean isNonDifferentiable(Op op) {
        return rules.get(key(op)) == Rule.STOP;
    }

    public Set<String> operators() {
        return rules.keySet();
    }

    private static String key(Op op) {
        return op.domain().isEmpty() ? op.type() : op.domain() + "." + op.type();
    }
}
