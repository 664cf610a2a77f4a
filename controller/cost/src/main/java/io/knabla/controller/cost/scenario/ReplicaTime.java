package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A replica's life, divided into starting and ready, and the shares of each that its cost is split by.
 *
 * <p>While it starts, all is {@link CostPart#COLD_START}. While it is ready, with <i>b</i> the fraction of that time in
 * which it had a request (at most 1) and <i>u</i> the fraction of what it held that it used: use is min(<i>b</i>,
 * <i>u</i>), since an average over its life counts the time without requests as well; over-provision is the rest of
 * <i>b</i>; idle is 1 - <i>b</i>. Of an interrupted replica's use, retried / (requests + retried) is lost work, and
 * while it ran beside its replacement everything but use is doubled running; both are {@link CostPart#INTERRUPTION}.
 *
 * @param ready when it could take requests, or its end if it never could
 * @param doubled when it ran beside its replacement
 * @param busy <i>b</i>
 * @param used <i>u</i>
 * @param held weights of what it holds of its node
 */
record ReplicaTime(
        ReplicaInterval row,
        Instant start,
        Instant ready,
        Instant end,
        Optional<Interval> doubled,
        BigDecimal busy,
        BigDecimal used,
        NodeShares.Weights held) {

    /** @param held what it is charged for; at least what it used */
    static ReplicaTime of(ReplicaInterval row, Period period, Resources held, Optional<Interval> doubled) {
        Instant start = row.time().start();
        Instant end = period.settled(row.time()).end().orElseThrow();
        Instant ready = start.plus(row.startTime());
        Instant readyOrEnd = ready.isBefore(end) ? ready : end;
        BigDecimal readyMillis =
                Dollars.seconds(Duration.between(readyOrEnd, end)).movePointRight(3);
        return new ReplicaTime(
                row,
                start,
                readyOrEnd,
                end,
                doubled,
                fraction(row.work().busyMillis(), readyMillis),
                use(row, held),
                NodeShares.Weights.of(held));
    }

    static boolean measured(ReplicaInterval row) {
        Resources used = row.used();
        return used.vcpus().signum() > 0 || used.memoryBytes() > 0 || used.hasGpu();
    }

    private static BigDecimal use(ReplicaInterval row, Resources held) {
        Resources used = measured(row) ? row.used() : row.requested();
        BigDecimal weight = ResourceWeights.of(held);
        return weight.signum() == 0
                ? BigDecimal.ONE
                : ResourceWeights.of(used).divide(weight, Dollars.PRECISE).min(BigDecimal.ONE);
    }

    private static BigDecimal fraction(long busyMillis, BigDecimal readyMillis) {
        return readyMillis.signum() == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(busyMillis)
                        .divide(readyMillis, Dollars.PRECISE)
                        .min(BigDecimal.ONE);
    }

    /**
     * Adds the weight of a time to the parts that it belongs to.
     *
     * @param from start of a time within its life in which it is either starting or ready, and doubled or not
     */
    void addTo(Map<CostPart, BigDecimal> parts, Instant from, BigDecimal weight) {
        if (from.isBefore(ready)) {
            add(parts, CostPart.COLD_START, weight);
            return;
        }
        BigDecimal useShare = busy.min(used);
        BigDecimal lost = useShare.multiply(lostShare());
        boolean twice =
                doubled.flatMap(time -> time.within(from, from.plusNanos(1))).isPresent();
        add(parts, CostPart.USE, weight.multiply(useShare.subtract(lost)));
        add(parts, CostPart.INTERRUPTION, weight.multiply(lost));
        add(parts, twice ? CostPart.INTERRUPTION : CostPart.OVER_PROVISION, weight.multiply(busy.subtract(useShare)));
        add(parts, twice ? CostPart.INTERRUPTION : CostPart.IDLE_WHILE_READY, weight.multiply(idleShare()));
    }

    private BigDecimal idleShare() {
        return BigDecimal.ONE.subtract(busy);
    }

    private BigDecimal lostShare() {
        Work work = row.work();
        long attempts = work.requests() + work.retried();
        return switch (row.end()) {
            case INTERRUPTED ->
                attempts == 0
                        ? BigDecimal.ZERO
                        : BigDecimal.valueOf(work.retried()).divide(BigDecimal.valueOf(attempts), Dollars.PRECISE);
            case RUNNING, STOPPED, FAILED -> BigDecimal.ZERO;
        };
    }

    private static void add(Map<CostPart, BigDecimal> parts, CostPart part, BigDecimal weight) {
        if (weight.signum() > 0) {
            parts.merge(part, weight, BigDecimal::add);
        }
    }
}
