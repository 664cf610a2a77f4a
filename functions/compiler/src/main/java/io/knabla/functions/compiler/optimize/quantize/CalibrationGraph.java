package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.LinkedHashMap;

/**
 * Exposes the ranges of activations as outputs of a graph. An engine runs this graph on calibration samples; the ranges
 * over all samples make a {@link Quantization.Static}.
 */
public final class CalibrationGraph {
    private CalibrationGraph() {}

    /**
     * The graph with one output for each activation whose range must be known, and no others: a vector of its least and
     * its largest element, by the name that {@link Quantization.Static} expects. Without outputs if there is nothing to
     * measure.
     */
    public static Dag of(Dag dag, Quantization.Options options) {
        Ops code = dag.code();
        var outputs = new LinkedHashMap<String, Value>();
        for (Value value : QuantizedActivations.find(dag, options).origins()) {
            // Reduced in the graph: otherwise the engine would keep every activation in memory at once.
            outputs.put(
                    QuantizedActivations.valueName(value),
                    code.concat(0, extreme(code, "ReduceMin", value), extreme(code, "ReduceMax", value)));
        }
        return dag.withOutputs(outputs);
    }

    private static Value extreme(Ops code, String type, Value value) {
        return code.reshape(code.op(type, Attributes.of("keepdims", 0), value), 1);
    }
}
