package io.knabla.functions.spec;

import java.util.Optional;

/**
 * Quantisation of weights, and of activations for Dynamic and Static, to integers; or half precision.
 *
 * @param blockSize weights of a row that share one factor, for Int8 and Int4; empty for the default
 * @param calibration a file of sample requests with which Static measures activations and Float16 its error: a path
 *     relative to the function's file, {@code s3://bucket/key}, or {@code sha256:…} of an upload
 */
public record Quantize(QuantizeType type, Optional<Integer> blockSize, Optional<String> calibration) {
    public static final Quantize NONE = new Quantize(QuantizeType.None);

    /** Quantisation without options. */
    public Quantize(QuantizeType type) {
        this(type, Optional.empty(), Optional.empty());
    }

    /**
     * Dynamic and Static quantise each tensor of a model to 8 bits; Int8 and Int4 the weights of a language model by
     * blocks; Float16 turns a model to half precision where that is safe.
     */
    public enum QuantizeType {
        None,
        Dynamic,
        Static,
        Int8,
        Int4,
        Float16
    }
}
