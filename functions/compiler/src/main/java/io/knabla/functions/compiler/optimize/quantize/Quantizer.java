package io.knabla.functions.compiler.optimize.quantize;

import io.knabla.functions.compiler.ir.Dag;

/**
 * Makes an inference model smaller and faster after training. Gradients need floats: graphs that are differentiated or
 * trained are never quantised.
 */
public final class Quantizer {
    private Quantizer() {}

    /**
     * @throws IllegalArgumentException where a static quantisation lacks the range of a value, or a weight is not
     *     finite
     */
    public static Quantized quantize(Dag dag, Quantization quantization) {
        return switch (quantization) {
            case Quantization.Dynamic(var options) -> new DynamicPass(dag, options).run();
            case Quantization.Static fixed -> new StaticPass(dag, fixed).run();
        };
    }
}
