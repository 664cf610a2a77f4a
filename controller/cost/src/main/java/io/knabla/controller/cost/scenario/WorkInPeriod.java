package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * The part of a replica's work that belongs to a period: its counters tell of its whole life, so they are spread evenly
 * over the time in which it was ready. Counts are whole, and those of adjacent periods sum to those of both.
 */
final class WorkInPeriod {
    private WorkInPeriod() {}

    static Work of(ReplicaInterval replica, Period period) {
        return until(replica, period, period.until()).minus(until(replica, period, period.from()));
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
        return replica.work().share(share);
    }
}
