package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Charge;
import io.knabla.controller.billing.Dollars;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What charges sum to between two times, in dollar-seconds: seconds times the price of an hour. */
final class ChargeSums {
    private final List<Charge> charges;
    /** Sum of all charges before each. */
    private final List<BigDecimal> before = new ArrayList<>();

    private final BigDecimal whole;

    /** @param charges in order of time, without overlaps */
    ChargeSums(List<Charge> charges) {
        this.charges = charges;
        BigDecimal sum = BigDecimal.ZERO;
        for (Charge charge : charges) {
            before.add(sum);
            sum = sum.add(charge.dollarSeconds());
        }
        this.whole = sum;
    }

    BigDecimal whole() {
        return whole;
    }

    BigDecimal between(Instant from, Instant until) {
        return until(until).subtract(until(from));
    }

    private BigDecimal until(Instant time) {
        int index = lastStartedBefore(time);
        if (index < 0) {
            return BigDecimal.ZERO;
        }
        Charge charge = charges.get(index);
        if (!time.isBefore(charge.time().end().orElseThrow())) {
            return index + 1 < before.size() ? before.get(index + 1) : whole;
        }
        BigDecimal seconds = Dollars.seconds(Duration.between(charge.time().start(), time));
        return before.get(index).add(seconds.multiply(charge.perHour().usd()));
    }

    private int lastStartedBefore(Instant time) {
        int low = 0;
        int high = charges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            boolean started = charges.get(middle).time().start().isBefore(time);
            low = started ? middle + 1 : low;
            high = started ? high : middle;
        }
        return low - 1;
    }
}
