package io.knabla.controller.cost.report;

import java.math.BigDecimal;
import java.util.Optional;

/** Writes decimals for machines: no exponent, no separators of thousands, no zeros at the end. */
final class Decimals {
    private Decimals() {}

    static BigDecimal stripped(BigDecimal value) {
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    static String plain(BigDecimal value) {
        return stripped(value).toPlainString();
    }

    /** Null, which writers show as an empty cell, if there is no value. */
    static String plainOrNull(Optional<BigDecimal> value) {
        return value.map(Decimals::plain).orElse(null);
    }
}
