package io.knabla.runtime.generation.grammar.schema;

import io.knabla.runtime.generation.grammar.schema.NumberExpressions.Interval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** States that read numbers. */
final class NumberRules {
    private static final BigDecimal MOST = BigDecimal.valueOf(NumberExpressions.MOST);

    private final TextRules texts;

    NumberRules(TextRules texts) {
        this.texts = texts;
    }

    /** Any number. */
    int number() {
        return texts.expression(NumberExpressions.number(), 0, -1, false);
    }

    int integer(Keywords schema) {
        if (!isBounded(schema)) {
            return integer();
        }
        long low = Math.max(
                limit(schema.number("minimum"), RoundingMode.CEILING, -NumberExpressions.MOST),
                limit(schema.number("exclusiveMinimum"), RoundingMode.FLOOR, -NumberExpressions.MOST - 1) + 1);
        long high = Math.min(
                limit(schema.number("maximum"), RoundingMode.FLOOR, NumberExpressions.MOST),
                limit(schema.number("exclusiveMaximum"), RoundingMode.CEILING, NumberExpressions.MOST + 1) - 1);
        if (low > high || low > NumberExpressions.MOST || high < -NumberExpressions.MOST) {
            schema.faultOfAll("no integer of at most 15 digits is within its bounds");
            return integer();
        }
        return texts.expression(NumberExpressions.integers(low, high), 0, -1, false);
    }

    private int integer() {
        return texts.expression(NumberExpressions.integer(), 0, -1, false);
    }

    int number(Keywords schema) {
        if (!isBounded(schema)) {
            return number();
        }
        Optional<BigDecimal> above = whole(schema, "exclusiveMinimum");
        Optional<BigDecimal> below = whole(schema, "exclusiveMaximum");
        long low = limit(whole(schema, "minimum"), RoundingMode.UNNECESSARY, -NumberExpressions.MOST);
        long high = limit(whole(schema, "maximum"), RoundingMode.UNNECESSARY, NumberExpressions.MOST);
        long lowExcluded = limit(above, RoundingMode.UNNECESSARY, Long.MIN_VALUE);
        long highExcluded = limit(below, RoundingMode.UNNECESSARY, Long.MAX_VALUE);
        var within = new Interval(
                Math.max(low, lowExcluded), Math.min(high, highExcluded), lowExcluded >= low, highExcluded <= high);
        boolean excludes = within.aboveLow() || within.belowHigh();
        if (within.low() > within.high() || within.low() == within.high() && excludes) {
            schema.faultOfAll("no number of at most 15 digits is within its bounds");
            return number();
        }
        return texts.expression(NumberExpressions.numbers(within), 0, -1, false);
    }

    private static boolean isBounded(Keywords schema) {
        return schema.has("minimum")
                || schema.has("maximum")
                || schema.has("exclusiveMinimum")
                || schema.has("exclusiveMaximum");
    }

    /** A bound as a long; at most one more than the largest number that is written. */
    private static long limit(Optional<BigDecimal> bound, RoundingMode rounding, long usual) {
        BigDecimal beyond = MOST.add(BigDecimal.ONE);
        return bound.map(number -> number.min(beyond)
                        .max(beyond.negate())
                        .setScale(0, rounding)
                        .longValueExact())
                .orElse(usual);
    }

    /** A bound of numbers that are not integers: between whole ones digits decide one by one. */
    private static Optional<BigDecimal> whole(Keywords schema, String keyword) {
        Optional<BigDecimal> bound = schema.number(keyword);
        if (bound.isPresent() && bound.get().remainder(BigDecimal.ONE).signum() != 0) {
            schema.fault(keyword, "a bound of type number must be a whole number, such as 0 or 1");
            return Optional.empty();
        }
        return bound;
    }
}
