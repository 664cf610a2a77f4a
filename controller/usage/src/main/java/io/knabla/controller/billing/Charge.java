package io.knabla.controller.billing;

import io.knabla.controller.price.Price;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * Charges a node for a span of time at one hourly price.
 *
 * @param time has an end
 * @param perHour price of an hour
 */
public record Charge(Interval time, Price perHour) {
    public BigDecimal seconds() {
        return Dollars.seconds(Duration.between(time.start(), time.end().orElseThrow()));
    }

    /** Seconds times the price of an hour. */
    public BigDecimal dollarSeconds() {
        return seconds().multiply(perHour.usd());
    }
}
