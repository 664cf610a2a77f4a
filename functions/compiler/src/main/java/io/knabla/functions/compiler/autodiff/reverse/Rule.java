package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;

/**
 * Derivative rule of one operator: its vector-Jacobian product, which maps adjoints of outputs to adjoints of operands.
 * A rule must be closed: every operation that it emits has a rule itself, because graphs are differentiated twice.
 * Operations emitted for an operand that is not active are dead code and disappear.
 */
@FunctionalInterface
public interface Rule {
    /** Rule of an operator without derivatives, such as a comparison: no adjoint flows back. */
    Rule STOP = (_, _, _) -> List.of();

    /**
     * Throws {@link io.knabla.functions.compiler.ir.UnsupportedOperatorException} for a form of the operation that
     * cannot be differentiated.
     *
     * @param dy adjoints of the outputs, null where nothing depends on one; as many as {@link Op#outputs()}, and not
     *     all null
     * @return adjoints of the {@link Op#operands()} (inputs, then captures), null where there is none; may be shorter
     */
    List<Value> adjoints(RuleContext at, Op op, List<Value> dy);
}
