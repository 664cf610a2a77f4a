package io.knabla.controller.warm.policy;

/**
 * Time in which one replica is ready.
 *
 * @param from when it is ready, in milliseconds of any clock
 * @param until when it is released unless it serves a request; {@link #FOREVER} for never
 */
public record Window(long from, long until) {
    public static final long FOREVER = Long.MAX_VALUE;

    public Window {
        if (until < from) {
            throw new IllegalArgumentException("a window ends at %d, before it begins at %d".formatted(until, from));
        }
    }

    /** From now on for a number of milliseconds, which saturate at {@link #FOREVER}. */
    public static Window lasting(long from, long millis) {
        return new Window(from, plus(from, millis));
    }

    /** A sum that saturates at {@link #FOREVER}. */
    public static long plus(long time, long millis) {
        return time > FOREVER - millis ? FOREVER : time + millis;
    }
}
