package io.knabla.functions.packaging.folder;

import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.spec.Quantize;

/** Form of the weights that function.yaml asks for. */
public final class Precisions {
    private static final int BLOCK = 128;

    private Precisions() {}

    /** @throws IllegalArgumentException for a quantisation that models of tensors have */
    public static Precision of(Quantize quantize) {
        int block = quantize.blockSize().orElse(BLOCK);
        return switch (quantize.type()) {
            case None -> new Precision.Float32();
            case Int8 -> new Precision.Int8(block);
            case Int4 -> new Precision.Int4(block);
            case Dynamic, Static, Float16 ->
                throw new IllegalArgumentException("a folder's model is not quantised as " + quantize.type());
        };
    }
}
