package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Calibrates the ranges of activations: adds two outputs per activation to the model, its lower and upper bound, and
 * lets the caller run it over the calibration set.
 */
public final class RangeCalibrator {
    private static final String LOW = "low:";
    private static final String HIGH = "high:";

    private RangeCalibrator() {}

    /** Runs a graph on named inputs and returns its outputs by name. */
    @FunctionalInterface
    public interface Runner {
        Map<String, NdArray> run(Dag dag, Map<String, NdArray> inputs);
    }

    /** How a range is computed from the elements of an activation. */
    public sealed interface Method {
        /** Minimum and maximum: no element is clipped. */
        record MinMax() implements Method {}

        /**
         * Percentiles of each batch, averaged over the batches: rare outliers do not cost the other elements
         * resolution.
         *
         * @param share fraction of the elements to keep at either end, such as 0.999
         */
        record Percentile(double share) implements Method {
            public Percentile {
                if (!(share > 0.5 && share <= 1)) {
                    throw new IllegalArgumentException("share must be above 0.5 and at most 1, was " + share);
                }
            }
        }
    }

    /**
     * Measures the ranges for {@link Quantization.Static}, by value name.
     *
     * @param batches inputs of the model; at least one
     */
    public static Map<String, Range> ranges(
            Dag dag, Quantization.Options options, Method method, Stream<Map<String, NdArray>> batches, Runner runner) {
        Dag probe = graph(dag, options, method);
        var sums = new LinkedHashMap<String, Range>();
        int[] count = {0};
        batches.forEach(batch -> {
            count[0]++;
            read(runner.run(probe, batch)).forEach((name, range) -> sums.merge(name, range, merge(method)));
        });
        if (count[0] == 0) {
            throw new IllegalArgumentException("the calibration set is empty");
        }
        if (method instanceof Method.Percentile) {
            sums.replaceAll((_, r) -> new Range(r.low() / count[0], r.high() / count[0]));
        }
        return sums;
    }

    private static java.util.function.BinaryOperator<Range> merge(Method method) {
        return switch (method) {
            case Method.MinMax _ -> Range::join;
            case Method.Percentile _ -> (a, b) -> new Range(a.low() + b.low(), a.high() + b.high());
        };
    }

    private static Map<String, Range> read(Map<String, NdArray> outputs) {
        var ranges = new LinkedHashMap<String, Range>();
        outputs.forEach((name, low) -> {
            if (name.startsWith(LOW)) {
                String key = name.substring(LOW.length());
                double high = outputs.get(HIGH + key).real(0);
                if (!Double.isFinite(low.real(0)) || !Double.isFinite(high)) {
                    throw new IllegalArgumentException(
                            "%s reaches from %s to %s on the calibration set".formatted(key, low.real(0), high));
                }
                ranges.put(key, new Range(low.real(0), high));
            }
        });
        return ranges;
    }

    /** Builds the graph that outputs two scalars per value and nothing else. */
    static Dag graph(Dag dag, Quantization.Options options, Method method) {
        Ops code = dag.code();
        var outputs = new LinkedHashMap<String, Value>();
        for (Value value : QuantizedActivations.find(dag, options).origins()) {
            String key = QuantizedActivations.valueName(value);
            switch (method) {
                case Method.MinMax _ -> {
                    Attributes flat = Attributes.of("keepdims", 0);
                    outputs.put(LOW + key, code.op("ReduceMin", flat, value));
                    outputs.put(HIGH + key, code.op("ReduceMax", flat, value));
                }
                case Method.Percentile(var share) -> {
                    Value low = code.neg(outermost(code, code.neg(value), share));
                    outputs.put(LOW + key, low);
                    outputs.put(HIGH + key, outermost(code, value, share));
                }
            }
        }
        return dag.withOutputs(outputs);
    }

    /** The smallest of the largest elements, which are those beyond the share. */
    private static Value outermost(Ops code, Value value, double share) {
        Value flat = code.reshape(value, -1);
        Value size = code.cast(code.op("Size", value), ElementType.FLOAT);
        Value beyond = code.cast(code.mul(size, 1 - share), ElementType.INT64);
        Value count = code.reshape(code.max(beyond, code.integer(1)), 1);
        Op top = code.builder().op(Op.Spec.of("TopK", Attributes.NONE, List.of(flat, count)), 2);
        return code.op("ReduceMin", Attributes.of("keepdims", 0), top.output(0));
    }
}
