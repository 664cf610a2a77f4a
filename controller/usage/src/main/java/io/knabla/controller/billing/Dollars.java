package io.knabla.controller.billing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Decimal arithmetic of amounts in US dollars. An amount has {@link #SCALE} digits after the point. */
public final class Dollars {
    /**
     * One unit of the last digit is 10<sup>-12</sup> dollars: a million lines of it are below a hundredth of a cent.
     */
    public static final int SCALE = 12;

    public static final BigDecimal ZERO = BigDecimal.ZERO.setScale(SCALE);

    /** Precision of shares, beyond the digits of any amount; few enough that products of them stay short. */
    public static final MathContext PRECISE = new MathContext(20, RoundingMode.HALF_EVEN);

    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

    private static final MathContext FACTOR = new MathContext(40, RoundingMode.DOWN);

    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3600);

    private Dollars() {}

    public static BigDecimal rounded(BigDecimal usd) {
        return usd.setScale(SCALE, RoundingMode.HALF_EVEN);
    }

    /** @param dollarSeconds sum of seconds, each times the price of an hour */
    public static BigDecimal ofHourly(BigDecimal dollarSeconds) {
        return dollarSeconds.divide(SECONDS_PER_HOUR, SCALE, RoundingMode.HALF_EVEN);
    }

    /**
     * As people read it: four significant digits, or whole cents of larger amounts; two digits after the point at
     * least.
     */
    public static String text(BigDecimal usd) {
        BigDecimal four = usd.round(FOUR_DIGITS).stripTrailingZeros();
        return four.scale() < 2 ? usd.setScale(2, RoundingMode.HALF_EVEN).toPlainString() : four.toPlainString();
    }

    /** Exact seconds of a duration. */
    public static BigDecimal seconds(Duration duration) {
        BigDecimal whole = BigDecimal.valueOf(duration.getSeconds());
        int nanos = duration.getNano();
        // Short numbers are much faster to multiply, and times of usage have microseconds.
        return nanos % 1000 == 0
                ? whole.add(BigDecimal.valueOf(nanos / 1000, 6))
                : whole.add(BigDecimal.valueOf(nanos, 9));
    }

    public static BigDecimal sum(List<BigDecimal> amounts) {
        return amounts.stream().reduce(ZERO, BigDecimal::add);
    }

    /**
     * Splits an amount in proportion to weights. The parts sum to the amount exactly: each is rounded down, and what is
     * left goes, one unit of the last digit each, to the parts with the largest remainders, the first of equal ones.
     *
     * @param total not negative, of scale {@link #SCALE} or less
     * @param weights not negative; if they are all zero, the total must be as well
     */
    public static List<BigDecimal> split(BigDecimal total, List<BigDecimal> weights) {
        BigDecimal whole = weights.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        if (whole.signum() == 0) {
            if (total.signum() != 0) {
                throw new IllegalArgumentException("%s USD cannot be split: no weight is above zero".formatted(total));
            }
            return weights.stream().map(w -> ZERO).toList();
        }
        BigDecimal factor = total.divide(whole, FACTOR);
        return roundedDown(
                total, weights.stream().map(weight -> weight.multiply(factor)).toList());
    }

    private static List<BigDecimal> roundedDown(BigDecimal total, List<BigDecimal> ideals) {
        List<BigDecimal> parts = new ArrayList<>(ideals.size());
        BigDecimal sum = ZERO;
        for (BigDecimal ideal : ideals) {
            BigDecimal part = ideal.setScale(SCALE, RoundingMode.DOWN);
            parts.add(part);
            sum = sum.add(part);
        }
        int left = total.setScale(SCALE).subtract(sum).unscaledValue().intValueExact();
        if (left > 0) {
            addUnits(parts, ideals, left);
        }
        return parts;
    }

    private static void addUnits(List<BigDecimal> parts, List<BigDecimal> ideals, int count) {
        BigDecimal unit = BigDecimal.ONE.movePointLeft(SCALE);
        List<BigDecimal> remainders = IntStream.range(0, parts.size())
                .mapToObj(i -> ideals.get(i).subtract(parts.get(i)))
                .toList();
        IntStream.range(0, parts.size())
                .boxed()
                .sorted(Comparator.comparing((Function<Integer, BigDecimal>) remainders::get)
                        .reversed())
                .limit(count)
                .forEach(i -> parts.set(i, parts.get(i).add(unit)));
    }
}
