package io.knabla.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Rounds numbers to the digits that were measured. */
public final class Rounding {
    private static final MathContext FOUR = new MathContext(4, RoundingMode.HALF_EVEN);

    private Rounding() {}

    /** Four significant figures; whole numbers above 9999 stay whole. */
    public static double significant(double value) {
        return Math.abs(value) >= 10_000
                ? Math.rint(value)
                : BigDecimal.valueOf(value).round(FOUR).doubleValue();
    }
}
