package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.cost.usage.Work;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;

/**
 * The part of a replica's work that belongs to a period: its counters tell of its whole life, so they are spread evenly
 * over the time in which it was ready. Counts are whole, and those of adjacent periods sum to those of both.
 */
final class WorkInPeriod {
    private WorkInPeriod() {}

    static Work of(ReplicaInterval replica, Period period) {
        Work until = until(replica, period, period.until());
        Work before = until(replica, period, period.from());
        return new Work(
                until.succeeded() - before.succeeded(),
                until.failed() - before.failed(),
                until.retried() - before.retried(),
                until.elements() - before.elements(),
                until.busyMillis() - before.busyMillis());
    }

    /** Whether a part of the replica's life with work is outside of the period. */
    static boolean spread(ReplicaInterval replica, Period period) {
        return !of(replica, period).equals(replica.work());
    }

    private static Work until(ReplicaInterval replica, Period period, Instant time) {
        Instant end = period.settled(replica.time()).end().orElseThrow();
        Instant ready = replica.time().start().plus(replica.startTime());
        if (!time.isBefore(end)) {
            return replica.work();
        }
        if (!ready.isBefore(time)) {
            return Work.NONE;
        }
        BigDecimal share = Dollars.seconds(Duration.between(ready, time))
                .divide(Dollars.seconds(Duration.between(ready, end)), Dollars.PRECISE);
        Work work = replica.work();
        return new Work(
                part(work.succeeded(), share),
                part(work.failed(), share),
                part(work.retried(), share),
                part(work.elements(), share),
                part(work.busyMillis(), share));
    }

    private static long part(long count, BigDecimal share) {
        return BigDecimal.valueOf(count)
                .multiply(share)
                .setScale(0, RoundingMode.DOWN)
                .longValueExact();
    }
}
