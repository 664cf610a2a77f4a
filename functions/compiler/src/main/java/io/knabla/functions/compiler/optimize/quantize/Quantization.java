package io.knabla.functions.compiler.optimize.quantize;

import java.util.Map;

/** What is to be made of a model. */
public sealed interface Quantization {
    Options options();

    /**
     * Weights are integers in the file; each call finds the range of its activations itself. Needs no data. Products of
     * matrices run on integers; convolutions and embeddings only read theirs so.
     */
    record Dynamic(Options options) implements Quantization {}

    /**
     * Activations are integers too, in ranges seen beforehand on a calibration set.
     *
     * @param ranges by the names that {@link Probe} gives the values
     */
    record Static(Map<String, Range> ranges, Options options) implements Quantization {
        public Static {
            ranges = Map.copyOf(ranges);
        }
    }

    /**
     * @param minElements a smaller weight stays float: it saves nothing, and costs a node
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
