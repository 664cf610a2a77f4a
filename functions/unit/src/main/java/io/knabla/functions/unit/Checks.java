package io.knabla.functions.unit;

/** Refuses values of a unit's files that are out of bounds. */
public final class Checks {
    private Checks() {}

    /** @throws IllegalArgumentException with the message, if a condition does not hold */
    public static void that(boolean holds, String message, Object... values) {
        if (!holds) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}
