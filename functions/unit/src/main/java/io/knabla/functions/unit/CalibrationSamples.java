package io.knabla.functions.unit;

/**
 * Names the parts of a calibration unit's samples: a safetensors file, stored as the last of the unit's weights, with
 * one tensor for each request and input. The packager writes it, the replica's {@code quantize-ranges} mode reads it.
 */
public final class CalibrationSamples {
    /** Metadata key of the number of requests. */
    public static final String REQUESTS = "requests";

    private CalibrationSamples() {}

    /** Name of an input's tensor in the request with this number, counted from 0. */
    public static String name(int request, String input) {
        return request + ":" + input;
    }

    /** The blob of the samples; the graph does not refer to it. */
    public static Blob of(GraphManifest calibration) {
        if (calibration.weights().isEmpty()) {
            throw new IllegalArgumentException("the unit holds no calibration samples");
        }
        return calibration.weights().getLast();
    }
}
