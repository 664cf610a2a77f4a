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
 * Where a rule stands: the words to write with, and what is asked of it.
 *
 * @param active whether the wanted gradients depend on an operand
 * @param sweep for rules that have to differentiate the bodies of their operation
 */
public record Backward(Builder builder, Predicate<Value> active, Sweep sweep) implements Layout {

    /** Whether the adjoint of this input is wanted at all; for rules that would refuse or work hard. */
    public boolean wants(Op op, int input) {
        return op.has(input) && active.test(op.input(input));
    }

    /** The adjoint, or zeros in the shape of the output where nothing depends on it. */
    public Value orZeros(Op op, List<Value> dy, int output) {
        Value given = dy.get(output);
        return given != null ? given : zeros(op.output(output));
    }

    /** Adjoints in the order of the operands; null = none. */
    public static List<Value> of(Value... adjoints) {
        return new ArrayList<>(Arrays.asList(adjoints));
    }

    /** One operation's adjoints where only some inputs have any. */
    public static List<Value> at(int size, Map<Integer, Value> adjoints) {
        var all = new ArrayList<Value>();
        for (int i = 0; i < size; i++) {
            all.add(adjoints.get(i));
        }
        return all;
    }
}
