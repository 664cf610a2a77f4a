package io.knabla.controller.billing;

import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Billing rules of EC2 instances with Linux.
 *
 * <ul>
 *   <li>Per second, at least 60 seconds, on demand and on spot alike: <a
 *       href="https://aws.amazon.com/ec2/pricing/on-demand/">EC2 On-Demand Pricing</a>; since 2017-10-02.
 *   <li>A spot instance that EC2 interrupts in its first hour is free; later, and if its user ends it, its seconds are
 *       paid: <a
 *       href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/billing-for-interrupted-spot-instances.html">Billing
 *       for interrupted Spot Instances</a>.
 *   <li>Each second costs the spot price in effect: <a
 *       href="https://docs.aws.amazon.com/whitepapers/latest/cost-optimization-leveraging-ec2-spot-instances/how-spot-instances-work.html">How
 *       Spot Instances Work</a>.
 * </ul>
 *
 * <p>The time up to the minimum, and up to a whole second, belongs to the period that the node's end lies in and costs
 * the last second's price. So the bills of two adjacent periods sum to the bill of both, for the same rows.
 */
public final class Ec2Billing {
    static final Duration MINIMUM = Duration.ofSeconds(60);
    static final Duration FREE_IF_INTERRUPTED = Duration.ofHours(1);

    private Ec2Billing() {}

    /** The bill under the capacity type that the node had. */
    public static NodeBill asBought(NodeInterval node, Period period, PriceBook book) {
        return switch (node.capacity()) {
            case ON_DEMAND -> onDemand(node, period, book);
            case SPOT -> spot(node, period, book);
        };
    }

    /** The bill on demand, at the prices of its time. */
    public static NodeBill onDemand(NodeInterval node, Period period, PriceBook book) {
        return bill(node, period, time -> onDemandCharges(node, time, book), Unpriced.Reason.NO_ON_DEMAND_PRICE, false);
    }

    /** The bill on spot, at the prices of the node's zone. Free only if the node was on spot and was interrupted. */
    public static NodeBill spot(NodeInterval node, Period period, PriceBook book) {
        return bill(
                node,
                period,
                time -> spotCharges(node, time, book),
                Unpriced.Reason.NO_SPOT_PRICE,
                interruptedInFirstHour(node));
    }

    /** Whether a node is free. Exactly one hour is not within the first hour. */
    public static boolean interruptedInFirstHour(NodeInterval node) {
        return node.capacity() == CapacityType.SPOT
                && node.end() == NodeEnd.INTERRUPTED
                && node.time()
                        .end()
                        .filter(end ->
                                Duration.between(node.time().start(), end).compareTo(FREE_IF_INTERRUPTED) < 0)
                        .isPresent();
    }

    /** Seconds paid for a life: whole seconds, at least the minimum. */
    private static BigDecimal paidSeconds(Duration life, Duration minimum) {
        return Dollars.seconds(life).setScale(0, RoundingMode.CEILING).max(BigDecimal.valueOf(minimum.toSeconds()));
    }

    /** Seconds that are paid after the end of a life that ended within the period; zero if it did not. */
    static BigDecimal secondsAfterEnd(Interval life, Period period, Duration minimum) {
        if (!period.hasEndOf(life)) {
            return BigDecimal.ZERO;
        }
        Duration lived = Duration.between(life.start(), life.end().orElseThrow());
        return paidSeconds(lived, minimum).subtract(Dollars.seconds(lived));
    }

    /** Charges of a time on demand; none for time without a known price. */
    public static List<Charge> onDemandCharges(NodeInterval node, Interval time, PriceBook book) {
        return charges(time, book.onDemand(node.instanceType(), node.region(), time));
    }

    private static List<Charge> spotCharges(NodeInterval node, Interval time, PriceBook book) {
        return charges(time, book.spot(node.instanceType(), node.region(), node.zoneId(), time));
    }

    private static List<Charge> charges(Interval time, List<PriceBook.TimedPrice> prices) {
        Instant end = time.end().orElseThrow();
        return prices.stream()
                .flatMap(price ->
                        price.time().within(time.start(), end).map(part -> new Charge(part, price.perHour())).stream())
                .toList();
    }

    private static NodeBill bill(
            NodeInterval node,
            Period period,
            Function<Interval, List<Charge>> prices,
            Unpriced.Reason without,
            boolean waived) {
        List<Charge> charges = period.part(node.time()).map(prices).orElse(List.of());
        Optional<TopUp> topUp = topUp(node, period, prices);
        return new NodeBill(
                node, charges, topUp, BigDecimal.ZERO, waived, unpriced(node, period, charges, topUp, without));
    }

    /** What is paid after a node's end, at the price of its last second; none if that has no price. */
    public static Optional<TopUp> topUp(NodeInterval node, Period period, Function<Interval, List<Charge>> prices) {
        BigDecimal seconds = secondsAfterEnd(node.time(), period, MINIMUM);
        if (seconds.signum() == 0) {
            return Optional.empty();
        }
        List<Charge> last = prices.apply(lastSecond(node.time()));
        return last.isEmpty()
                ? Optional.empty()
                : Optional.of(new TopUp(seconds, last.getLast().perHour()));
    }

    /** The last second of a life, less if it was shorter; the second after if it took no time. */
    private static Interval lastSecond(Interval life) {
        Instant end = life.end().orElseThrow();
        return life.within(end.minusSeconds(1), end).orElseGet(() -> Interval.of(end, end.plusSeconds(1)));
    }

    /**
     * Parts of a node's time in a period that no charge covers. Of a node that took no time, the second before its end
     * if the minimum that it pays has no price.
     */
    public static List<Unpriced> unpriced(
            NodeInterval node, Period period, List<Charge> charges, Optional<TopUp> topUp, Unpriced.Reason reason) {
        Optional<Interval> part = period.part(node.time());
        if (part.isPresent()) {
            return gaps(node, part.get(), charges, reason);
        }
        if (topUp.isPresent() || !period.hasEndOf(node.time())) {
            return List.of();
        }
        Instant end = node.time().end().orElseThrow();
        return Interval.of(end.minusSeconds(1), end)
                .within(period.from(), period.until())
                .map(time -> gaps(node, time, List.of(), reason))
                .orElse(List.of());
    }

    private static List<Unpriced> gaps(NodeInterval node, Interval time, List<Charge> charges, Unpriced.Reason reason) {
        List<Unpriced> gaps = new ArrayList<>();
        String subject = "%s %s %s".formatted(node.instanceType(), node.region(), node.zoneId());
        Instant from = time.start();
        for (Charge charge : charges) {
            if (from.isBefore(charge.time().start())) {
                gaps.add(new Unpriced(
                        reason,
                        node.id(),
                        subject,
                        Interval.of(from, charge.time().start())));
            }
            from = charge.time().end().orElseThrow();
        }
        Instant end = time.end().orElseThrow();
        if (from.isBefore(end)) {
            gaps.add(new Unpriced(reason, node.id(), subject, Interval.of(from, end)));
        }
        return gaps;
    }
}
