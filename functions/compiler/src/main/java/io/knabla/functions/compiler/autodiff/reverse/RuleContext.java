package io.knabla.functions.compiler.autodiff.reverse;

import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Layout;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Context of a derivative rule: the builder to emit operations with, the active values, and the sweep.
 *
 * @param active whether a value depends on a target
 * @param sweep for rules that differentiate bodies or decompositions
 */
public record RuleContext(Builder builder, Predicate<Value> active, Sweep sweep) implements Layout {

    /** Whether the adjoint of this input is needed; lets a rule skip expensive work or a refusal. */
    public boolean needsAdjoint(Op op, int input) {
        return op.has(input) && active.test(op.input(input));
    }

    /** Returns the adjoint of an output, or zeros of its shape if nothing depends on it. */
    public Value orZeros(Op op, List<Value> dy, int output) {
        Value given = dy.get(output);
        return given != null ? given : zeros(op.output(output));
    }

    /** Lists adjoints in the order of the operands; null = none. */
    public static List<Value> of(Value... adjoints) {
        return new ArrayList<>(Arrays.asList(adjoints));
    }

    /** Lists the adjoints of an operation if only some inputs have any. */
    public static List<Value> at(int size, Map<Integer, Value> adjoints) {
        var all = new ArrayList<Value>();
        for (int i = 0; i < size; i++) {
            all.add(adjoints.get(i));
        }
        return all;
    }
}
