package io.knabla.functions.compiler.optimize.quantize;

import java.util.Map;

/** How to quantise a model: dynamically or statically, and with which options. */
public sealed interface Quantization {
    Options options();

    /**
     * Weights are stored as integers, and each call measures the ranges of its activations. Needs no calibration data.
     * Matrix products run on integers; convolutions and embeddings dequantise their weights.
     */
    record Dynamic(Options options) implements Quantization {}

    /**
     * Activations are integers, too, in ranges measured on a calibration set.
     *
     * @param ranges by the names that {@link RangeCalibrator} gives to values
     */
    record Static(Map<String, Range> ranges, Options options) implements Quantization {
        public Static {
            ranges = Map.copyOf(ranges);
        }
    }

    /**
     * @param minElements smaller weights stay float: quantising them saves nothing and costs a node
     * @param weightBits 7 or 8. Processors before VNNI add two products in 16 bits, which 8-bit weights overflow
     *     silently (vpmaddubsw); 7 bits are right everywhere
     */
    record Options(int minElements, int weightBits) {
        public static final Options DEFAULT = new Options(1024, 7);

        public Options {
            if (minElements < 0 || weightBits < 7 || weightBits > 8) {
                throw new IllegalArgumentException(
                        "minElements must not be negative and weightBits 7 or 8, were %d and %d"
                                .formatted(minElements, weightBits));
            }
        }
    }
}
