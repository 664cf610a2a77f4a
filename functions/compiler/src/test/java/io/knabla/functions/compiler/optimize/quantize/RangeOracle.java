package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures ranges in this process, as a reference for the engine that measures them in the product. */
public final class RangeOracle {
    /** Runs a graph on named inputs and returns its outputs by name. */
    @FunctionalInterface
    public interface Runner {
        Map<String, NdArray> run(Dag dag, Map<String, NdArray> inputs);
    }

    private RangeOracle() {}

    /** Ranges that the interpreter finds. */
    public static Map<String, Range> ranges(Dag dag, List<Map<String, NdArray>> samples) {
        return ranges(dag, samples, DagEvaluator::run);
    }

    static Map<String, Range> ranges(Dag dag, List<Map<String, NdArray>> samples, Runner runner) {
        Dag probe = CalibrationGraph.of(dag, Quantization.Options.DEFAULT);
        var ranges = new LinkedHashMap<String, Range>();
        for (Map<String, NdArray> sample : samples) {
            runner.run(probe, sample)
                    .forEach((name, ends) -> ranges.merge(name, new Range(ends.real(0), ends.real(1)), Range::join));
        }
        return ranges;
    }
}
