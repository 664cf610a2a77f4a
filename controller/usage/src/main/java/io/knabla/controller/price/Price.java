package io.knabla.controller.price;

import java.math.BigDecimal;

/**
 * A price in US dollars and where it comes from.
 *
 * @param usd for one unit: an hour of an instance, a GB-second, a request
 */
public record Price(BigDecimal usd, Provenance provenance) {
    public Price {
        if (usd.signum() < 0) {
            throw new IllegalArgumentException("a price is not negative, but this one is " + usd);
        }
    }
}
