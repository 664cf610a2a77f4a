package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;

/**
 * How one kind of operation passes adjoints back: the vector-Jacobian product of the operation. A rule must be closed,
 * which means that everything it emits has a rule itself, because graphs are differentiated twice. What a rule emits
 * for an operand that nobody asks about vanishes by itself.
 */
@FunctionalInterface
public interface Rule {
    /** The rule of an operation whose results depend on no operand smoothly: no adjoint flows back. */
    Rule STOP = (_, _, _) -> List.of();

    /**
     * Throws {@link io.knabla.functions.compiler.ir.UnsupportedOperatorException} for a form of the operation that
     * cannot be differentiated.
     *
     * @param dy adjoints of the outputs, null where nothing depends on one; as many as {@link Op#outputs()}, and not
     *     all null
     * @return adjoints of the {@link Op#operands()} (inputs, then captures), null where there is none; may be shorter
     */
    List<Value> adjoints(Backward at, Op op, List<Value> dy);
}
