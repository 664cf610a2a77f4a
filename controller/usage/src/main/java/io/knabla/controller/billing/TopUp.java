package io.knabla.controller.billing;

import io.knabla.controller.price.Price;
import java.math.BigDecimal;

/**
 * Seconds that are paid, but that nothing ran in: up to the minimum, or up to the next whole second.
 *
 * @param perHour price of an hour
 */
public record TopUp(BigDecimal seconds, Price perHour) {
    public BigDecimal dollarSeconds() {
        return seconds.multiply(perHour.usd());
    }
}
