package io.knabla.functions.compiler.optimize.quantize;

/** Range of an activation, from minimum to maximum; always includes 0, which must stay exact. */
public record Range(double low, double high) {
    private static final int STEPS = 255;

    public Range {
        if (!Double.isFinite(low) || !Double.isFinite(high) || low > high) {
            throw new IllegalArgumentException("not a range: %s to %s".formatted(low, high));
        }
        low = Math.min(0, low);
        high = Math.max(0, high);
    }

    public Range join(Range other) {
        return new Range(Math.min(low, other.low), Math.max(high, other.high));
    }

    /** Real value of one integer step. */
    float scale() {
        float scale = (float) ((high - low) / STEPS);
        return scale == 0 ? 1 : scale;
    }

    /** The UINT8 that represents 0. */
    int zeroPoint() {
        return Math.clamp(Math.round(-low / scale()), 0, STEPS);
    }
}
