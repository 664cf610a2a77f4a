package io.knabla.functions.spec;

import java.util.Optional;

/**
 * Whether weights and activations become 8-bit integers.
 *
 * @param calibration a file of requests that Static measures activations with: a path beside the function's file,
 *     {@code s3://bucket/key}, or {@code sha256:…} of an upload
 */
public record Quantize(QuantizeType type, Optional<String> calibration) {
    public static final Quantize NONE = new Quantize(QuantizeType.None, Optional.empty());

    public enum QuantizeType {
        None,
        Dynamic,
        Static
    }
}
