package io.knabla.controller.simulate.spot;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.spot.policy.ZoneOffer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * On-demand capacity at one dollar an hour and spot capacity at a fixed fraction of it, per second and without further
 * rules: that of the published comparisons.
 *
 * @param spotPrice as a fraction of the price on demand, positive
 */
public record RelativeMarket(BigDecimal spotPrice) implements Market {
    public RelativeMarket {
        if (spotPrice.signum() <= 0) {
            throw new IllegalArgumentException("the relative price of spot must be positive, but is " + spotPrice);
        }
    }

    /** @param ratio price on demand over price on spot */
    public static RelativeMarket ofRatio(BigDecimal ratio) {
        return new RelativeMarket(BigDecimal.ONE.divide(ratio, MathContext.DECIMAL64));
    }

    @Override
    public List<ZoneOffer> offers(List<String> zones, Instant at) {
        return zones.stream()
                .map(zone -> ZoneOffer.of(zone, spotPrice.doubleValue(), 1))
                .toList();
    }

    @Override
    public BigDecimal bill(BilledInstance life) {
        BigDecimal seconds = Dollars.seconds(Duration.between(life.start(), life.end()));
        return Dollars.ofHourly(life.offering().isSpot() ? seconds.multiply(spotPrice) : seconds);
    }
}
