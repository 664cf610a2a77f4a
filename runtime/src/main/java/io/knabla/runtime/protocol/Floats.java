package io.knabla.runtime.protocol;

/**
 * Writes floating-point numbers as the shortest decimal that reads back as the same number. NaN and infinities, which
 * JSON lacks, are written in quotes, as ProtoJSON does: every JSON parser accepts that, and numpy, with which Triton's
 * and KServe's clients build arrays, reads it back.
 */
final class Floats {
    private Floats() {}

    static void write(JsonWriter json, float value) {
        if (Float.isFinite(value)) {
            json.raw(Float.toString(value));
        } else {
            json.text(Float.toString(value));
        }
    }

    static void write(JsonWriter json, double value) {
        if (Double.isFinite(value)) {
            json.raw(Double.toString(value));
        } else {
            json.text(Double.toString(value));
        }
    }
}
