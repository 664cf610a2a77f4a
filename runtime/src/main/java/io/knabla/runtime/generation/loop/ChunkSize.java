package io.knabla.runtime.generation.loop;

import java.time.Duration;

/**
 * Chooses how many prompt tokens a step reads, from the measured times of earlier steps, so that sequences that decode
 * in the same step are not held up for long. Texts do not depend on it.
 */
final class ChunkSize {
    /** Fewer would hardly be faster, for each run reads all weights. */
    private static final int LEAST = 16;

    private static final double NEWEST = 0.2;

    private final Limits limits;
    private double nanosPerToken;
    private double decodeNanos;

    /**
     * @param most tokens of a step, also if none decodes
     * @param step longest time of a step in which some decode
     */
    record Limits(int most, Duration step) {}

    ChunkSize(Limits limits) {
        this.limits = limits;
    }

    void read(int tokens, long nanos) {
        nanosPerToken = mean(nanosPerToken, (double) nanos / tokens);
    }

    void decoded(long nanos) {
        decodeNanos = mean(decodeNanos, nanos);
    }

    private static double mean(double before, double newest) {
        return before == 0 ? newest : (1 - NEWEST) * before + NEWEST * newest;
    }

    int tokens(boolean someDecode) {
        if (!someDecode || nanosPerToken == 0) {
            return limits.most();
        }
        long fitting = (long) ((limits.step().toNanos() - decodeNanos) / nanosPerToken);
        return Math.clamp(fitting, Math.min(LEAST, limits.most()), limits.most());
    }
}
