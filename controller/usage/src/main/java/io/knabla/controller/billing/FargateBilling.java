package io.knabla.controller.billing;

import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * Billing rules of Fargate tasks: from the start of the image's download until the task ends, rounded up to whole
 * seconds, at least one minute; see <a href="https://aws.amazon.com/fargate/pricing/">AWS Fargate Pricing</a>. A
 * replica's start counts as the start of the download.
 *
 * <p>The time up to the minimum belongs to the period that the task's end lies in, as {@link Ec2Billing} has it.
 */
public final class FargateBilling {
    static final Duration MINIMUM = Duration.ofMinutes(1);

    private FargateBilling() {}

    /** Seconds that are paid after a task's end; zero unless it ended within the period. */
    public static BigDecimal secondsAfterEnd(Interval life, Period period) {
        return Ec2Billing.secondsAfterEnd(life, period, MINIMUM);
    }
}
