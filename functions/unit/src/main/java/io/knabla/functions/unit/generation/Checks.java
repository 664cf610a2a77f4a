package io.knabla.functions.unit.generation;

/** Refuses values out of bounds. */
final class Checks {
    private Checks() {}

    static void that(boolean holds, String message, Object... values) {
        if (!holds) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}
