package io.knabla.runtime.protocol;

/** Writes floats as the shortest decimal that reads back as the same float. */
final class Floats {
    private Floats() {}

    static void write(JsonWriter json, float value) {
        json.raw(Float.toString(value));
    }
}
