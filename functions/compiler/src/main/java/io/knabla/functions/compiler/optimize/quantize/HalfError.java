package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.interpreter.DagEvaluator;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Dag;
import java.util.List;
import java.util.Map;

/** How far a graph in half precision is from the float32 one, on sample inputs. */
public sealed interface HalfError {
    /**
     * The worst sample.
     *
     * @param largest difference of two elements
     * @param relative Euclidean norm of the difference of an output, by that of the float32 output
     * @param sample number of the sample with the largest relative error, from 0
     */
    record Measured(double largest, double relative, String output, int sample) implements HalfError {
        private Measured worse(Measured other) {
            return new Measured(
                    Math.max(largest, other.largest),
                    Math.max(relative, other.relative),
                    relative >= other.relative ? output : other.output,
                    relative >= other.relative ? sample : other.sample);
        }
    }

    /** The float32 output is finite, the other one is not. */
    record NotFinite(String output, int sample) implements HalfError {}

    /** @param why for people */
    record Unmeasured(String why) implements HalfError {}

    /** Interprets both graphs, which rounds each operation's result to its element type. */
    static HalfError of(Dag full, Dag half, List<Map<String, NdArray>> samples) {
        if (samples.isEmpty()) {
            return new Unmeasured("there are no sample inputs");
        }
        HalfError worst = null;
        try {
            for (int i = 0; i < samples.size(); i++) {
                HalfError one = of(DagEvaluator.run(full, samples.get(i)), DagEvaluator.run(half, samples.get(i)), i);
                if (!(one instanceof Measured measured)) {
                    return one;
                }
                worst = worst instanceof Measured before ? before.worse(measured) : measured;
            }
            return worst;
        } catch (EvaluationException unsupported) {
            return new Unmeasured(unsupported.getMessage());
        }
    }

    /** Compares the outputs of one sample. */
    static HalfError of(Map<String, NdArray> full, Map<String, NdArray> half, int sample) {
        Measured worst = new Measured(0, 0, "", sample);
        for (Map.Entry<String, NdArray> output : full.entrySet()) {
            if (!output.getValue().element().isFloat()) {
                continue;
            }
            NdArray wanted = output.getValue();
            NdArray found = half.get(output.getKey());
            if (isFinite(wanted) && !isFinite(found)) {
                return new NotFinite(output.getKey(), sample);
            }
            worst = worst.worse(distance(output.getKey(), wanted, found, sample));
        }
        return worst;
    }

    private static Measured distance(String output, NdArray wanted, NdArray found, int sample) {
        double largest = 0;
        double difference = 0;
        double norm = 0;
        for (int i = 0; i < wanted.size(); i++) {
            double off = Math.abs(wanted.real(i) - found.real(i));
            if (Double.isFinite(off)) {
                largest = Math.max(largest, off);
                difference += off * off;
                norm += wanted.real(i) * wanted.real(i);
            }
        }
        double relative = norm == 0 ? Math.sqrt(difference) : Math.sqrt(difference / norm);
        return new Measured(largest, relative, output, sample);
    }

    private static boolean isFinite(NdArray array) {
        for (int i = 0; i < array.size(); i++) {
            if (!Double.isFinite(array.real(i))) {
                return false;
            }
        }
        return true;
    }
}
