package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Reachability;
import io.knabla.functions.compiler.ir.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the activations that a statically quantised graph holds as integers. These are operands of products and
 * convolutions, and values that reach them through operations that support integers.
 */
record QuantizedActivations(Set<Value> values) {
    /** Operators whose result has the range of the operand. */
    private static final Set<String> PASSING =
            Set.of("MaxPool", "Reshape", "Flatten", "Transpose", "Squeeze", "Unsqueeze");

    private static final Set<String> COMPUTING = Set.of("Add", "AveragePool", "GlobalAveragePool");

    static QuantizedActivations find(Dag dag, Quantization.Options options) {
        List<Op> ops = Reachability.ops(dag.outputs().values(), dag.builder().root());
        Set<Value> wanted = new LinkedHashSet<>();
        for (Op op : ops.reversed()) {
            if (isProduct(op, options)) {
                wanted.add(op.input(0));
            } else if (preservesRange(op) && wanted.contains(op.output())) {
                wanted.add(op.input(0));
            } else if (computes(op) && wanted.contains(op.output())) {
                wanted.addAll(op.inputs());
            }
        }
        return new QuantizedActivations(wanted);
    }

    static boolean isProduct(Op op, Quantization.Options options) {
        return WeightCandidate.of(op, options.minElements()) instanceof WeightCandidate.Fit && !op.is("Gather");
    }

    static boolean preservesRange(Op op) {
        return op.domain().isEmpty() && PASSING.contains(op.type()) && activation(op.input(0));
    }

    private static boolean computes(Op op) {
        return op.domain().isEmpty()
                && COMPUTING.contains(op.type())
                && op.inputs().stream().allMatch(QuantizedActivations::activation);
    }

    private static boolean activation(Value value) {
        return value != null && value.isFloat() && value.constant().isEmpty();
    }

    /** Returns the value that defines the range of this one. */
    Value origin(Value value) {
        Value origin = value;
        while (origin.producer().filter(QuantizedActivations::preservesRange).isPresent()
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

    /** Name of a value in calibration outputs and ranges. */
    static String valueName(Value value) {
        return "v" + value.id() + (value.name().isEmpty() ? "" : ":" + value.name());
    }
}
