package io.knabla.controller.local.pool;

/**
 * Bounds on the number of pool members, of all variants together.
 *
 * @param min kept without demand
 * @param max 0 switches the pool off
 */
public record PoolSize(int min, int max) {
    public static final PoolSize OFF = new PoolSize(0, 0);

    /** @throws IllegalArgumentException if one is negative, or {@code min} exceeds {@code max} */
    public PoolSize {
        if (min < 0 || max < min) {
            throw new IllegalArgumentException(
                    "warm.pool in config.yaml has min %d and max %d; write 0 <= min <= max, and max 0 for no pool"
                            .formatted(min, max));
        }
    }

    boolean isOff() {
        return max == 0;
    }
}
