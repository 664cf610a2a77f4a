package io.knabla.functions.spec;

import java.util.Optional;

/**
 * Quantisation of weights and activations to 8-bit integers.
 *
 * @param calibration a file of sample requests with which Static measures activations: a path relative to the
 *     function's file, {@code s3://bucket/key}, or {@code sha256:…} of an upload
 */
public record Quantize(QuantizeType type, Optional<String> calibration) {
    public static final Quantize NONE = new Quantize(QuantizeType.None, Optional.empty());

    public enum QuantizeType {
        None,
        Dynamic,
        Static
    }
}
