package io.knabla.controller.catalog;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;

/**
 * The load that a user expected of a function, and what the platform forecast from it.
 *
 * @param at when it was forecast
 * @param perSecond requests
 * @param seconds that one request takes
 * @param usdPerDay US dollars a day on demand, without idle capacity of nodes; empty without a price
 */
public record LoadForecast(Instant at, BigDecimal perSecond, BigDecimal seconds, Optional<BigDecimal> usdPerDay) {
    /** Whether both say the same, each at its time. */
    public boolean matches(LoadForecast other) {
        return equals(new LoadForecast(at, other.perSecond, other.seconds, other.usdPerDay));
    }
}
