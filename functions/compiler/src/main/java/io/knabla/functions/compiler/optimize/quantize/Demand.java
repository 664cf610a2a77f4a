package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which activations are integers in a statically quantised graph: what goes into a product or convolution, and what
 * leads there through operations that work on integers as well as on floats.
 */
record Demand(Set<Value> values) {
    /** The result takes no other numbers than the operand: both have one range. */
    private static final Set<String> PASSING =
            Set.of("MaxPool", "Reshape", "Flatten", "Transpose", "Squeeze", "Unsqueeze");

    private static final Set<String> COMPUTING = Set.of("Add", "AveragePool", "GlobalAveragePool");

    static Demand of(Dag dag, Quantization.Options options) {
        List<Op> ops = Reachability.ops(dag.outputs().values(), dag.builder().root());
        Set<Value> wanted = new LinkedHashSet<>();
        for (Op op : ops.reversed()) {
            if (isProduct(op, options)) {
                wanted.add(op.input(0));
            } else if (passes(op) && wanted.contains(op.output())) {
                wanted.add(op.input(0));
            } else if (computes(op) && wanted.contains(op.output())) {
                wanted.addAll(op.inputs());
            }
        }
        return new Demand(wanted);
    }

    static boolean isProduct(Op op, Quantization.Options options) {
        return Candidate.of(op, options.minElements()) instanceof Candidate.Fit && !op.is("Gather");
    }

    static boolean passes(Op op) {
        return op.domain().isEmpty() && PASSING.contains(op.type()) && activation(op.input(0));
    }

    private static boolean computes(Op op) {
        return op.domain().isEmpty()
                && COMPUTING.contains(op.type())
                && op.inputs().stream().allMatch(Demand::activation);
    }

    private static boolean activation(Value value) {
        return value != null && value.isFloat() && value.constant().isEmpty();
    }

    /** The value whose range this one has. */
    Value origin(Value value) {
        Value origin = value;
        while (origin.producer().filter(Demand::passes).isPresent()
                && values.contains(origin.producer().get().input(0))) {
            origin = origin.producer().get().input(0);
        }
        return origin;
    }

    /** Values whose ranges must be known. */
    Set<Value> origins() {
        var origins = new LinkedHashSet<Value>();
        values.forEach(v -> origins.add(origin(v)));
        return origins;
    }

    /** Its name in probes and ranges. */
    static String key(Value value) {
        return "v" + value.id() + (value.name().isEmpty() ? "" : ":" + value.name());
    }
}
