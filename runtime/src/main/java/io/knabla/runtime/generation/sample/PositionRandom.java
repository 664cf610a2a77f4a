package io.knabla.runtime.generation.sample;

/** Random numbers that depend on nothing but a seed and a position, by the finalizer of SplitMix64. */
final class PositionRandom {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final double UNIT = 0x1p-53;
    private static final int UNUSED_BITS = 11;

    private PositionRandom() {}

    /** A number of 0 to 1, without 1. */
    static double uniform(long seed, int position) {
        return (mixed(mixed(seed) + (position + 1L) * GOLDEN) >>> UNUSED_BITS) * UNIT;
    }

    private static long mixed(long value) {
        long z = value + GOLDEN;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
