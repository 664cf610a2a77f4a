package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Dag;

/**
 * Quantises an inference model to 8-bit integers after training. Gradients need floats: graphs that are differentiated
 * or trained are never quantised.
 */
public final class Quantizer {
    private Quantizer() {}

    /** @throws IllegalArgumentException if a static quantisation has no range for a value, or a weight is not finite */
    public static QuantizationResult quantize(Dag dag, Quantization quantization) {
        return switch (quantization) {
            case Quantization.Dynamic(var options) -> new DynamicPass(dag, options).run();
            case Quantization.Static fixed -> new StaticPass(dag, fixed).run();
        };
    }
}
