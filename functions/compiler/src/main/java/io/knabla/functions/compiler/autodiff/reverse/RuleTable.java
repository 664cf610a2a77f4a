package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks up the derivative rule of an operator. */
public final class RuleTable {
    private final Map<String, Rule> rules;
    private final Set<String> quantizers;
    private final Set<String> dequantizers;

    public RuleTable(Map<String, Rule> rules) {
        this(rules, Set.of(), Set.of());
    }

    /**
     * @param quantizers operators whose integer results have adjoints, in the type of their float input
     * @param dequantizers the only operators that may read those results and pass adjoints to them
     */
    public RuleTable(Map<String, Rule> rules, Set<String> quantizers, Set<String> dequantizers) {
        this.rules = Map.copyOf(rules);
        this.quantizers = Set.copyOf(quantizers);
        this.dequantizers = Set.copyOf(dequantizers);
    }

    /** Whether an adjoint may come to this result of the operation. */
    boolean hasAdjoint(Op op, Value output) {
        return output.isFloat() || quantizers.contains(key(op));
    }

    /** Whether an adjoint may go from the operation to this operand. */
    boolean passesAdjoint(Op op, Value operand) {
        return operand.isFloat() || dequantizers.contains(key(op));
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
