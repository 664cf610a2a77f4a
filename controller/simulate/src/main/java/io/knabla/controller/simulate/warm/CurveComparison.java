package io.knabla.controller.simulate.warm;

import java.util.Comparator;
import java.util.List;

/**
 * Compares a policy with another one at equal wasted memory, at each point of the other's curve. Between two points of
 * its own curve the policy reaches what lies on the line between them, by one setting for some functions and the other
 * for the rest; without waste every request is cold, and beyond its last point it gets no worse.
 *
 * @param better points at which the policy has fewer cold starts than the other
 * @param equal points at which both have as many
 * @param worse points at which it has more
 * @param best the point at which the ratio is least
 * @param worst the point at which the ratio is largest
 */
public record CurveComparison(
        PolicyName policy,
        PolicyName other,
        long better,
        long equal,
        long worse,
        Point best,
        Point worst,
        List<Point> points) {
    /** Ratios that differ from 1 by less do so by rounding. */
    private static final double ROUNDING = 1e-9;

    /**
     * A point of the other policy's curve.
     *
     * @param value of the other policy's knob
     * @param ownColdRate of the policy at the same wasted memory
     * @param ratio of the policy's cold rate to the other's: below 1 it is better; infinite if only the other has none
     */
    public record Point(double value, double wastedGbSeconds, double coldRate, double ownColdRate, double ratio) {
        static Point of(ResultRow other, double ownColdRate) {
            double ratio = ownColdRate == other.coldRate() ? 1 : ownColdRate / other.coldRate();
            return new Point(other.value(), other.wastedGbSeconds(), other.coldRate(), ownColdRate, ratio);
        }
    }

    /** @param own the policy's curve; both have at least one row */
    public static CurveComparison of(List<ResultRow> own, List<ResultRow> other) {
        List<ResultRow> ascending = own.stream()
                .sorted(Comparator.comparingDouble(ResultRow::wastedGbSeconds))
                .toList();
        List<Point> points = other.stream()
                .map(row -> Point.of(row, coldRate(ascending, row.wastedGbSeconds())))
                .toList();
        List<Point> byRatio =
                points.stream().sorted(Comparator.comparingDouble(Point::ratio)).toList();
        long better =
                points.stream().filter(point -> point.ratio() < 1 - ROUNDING).count();
        long worse =
                points.stream().filter(point -> point.ratio() > 1 + ROUNDING).count();
        return new CurveComparison(
                own.getFirst().policy(),
                other.getFirst().policy(),
                better,
                points.size() - better - worse,
                worse,
                byRatio.getFirst(),
                byRatio.getLast(),
                points);
    }

    private static double coldRate(List<ResultRow> ascending, double wasted) {
        double before = 0;
        double rate = 1;
        for (ResultRow row : ascending) {
            double least = Math.min(rate, row.coldRate());
            if (row.wastedGbSeconds() > wasted) {
                return rate + (least - rate) * (wasted - before) / (row.wastedGbSeconds() - before);
            }
            before = row.wastedGbSeconds();
            rate = least;
        }
        return rate;
    }
}
