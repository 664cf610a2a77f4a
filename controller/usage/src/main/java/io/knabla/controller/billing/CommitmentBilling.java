package io.knabla.controller.billing;

import io.knabla.controller.price.Price;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;

/**
 * Billing rules of commitments of 1 and 3 years: the hourly price is owed for all of the time, used or not; see <a
 * href="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/concepts-reserved-instances-application.html">How Reserved
 * Instances are applied</a>. An hour that the report has only a part of is owed in proportion.
 */
public final class CommitmentBilling {
    private CommitmentBilling() {}

    /** Seconds that all committed instances are owed for together. */
    public static BigDecimal owedSeconds(int instances, Interval time) {
        return Dollars.seconds(
                Duration.between(time.start(), time.end().orElseThrow()).multipliedBy(instances));
    }

    /** Dollars owed for time that no node ran in; for all of the time if none ran at all. */
    public static BigDecimal unused(Price perHour, int instances, Interval time, BigDecimal usedSeconds) {
        return Dollars.ofHourly(
                perHour.usd().multiply(owedSeconds(instances, time).subtract(usedSeconds)));
    }

    /** Share of the time that an instance must run for its commitment to cost no more than on demand, to 6 digits. */
    public static Optional<BigDecimal> breakEven(Price committed, Price onDemand) {
        return onDemand.usd().signum() == 0
                ? Optional.empty()
                : Optional.of(committed.usd().divide(onDemand.usd(), 6, RoundingMode.HALF_UP));
    }
}
