package io.knabla.controller.simulate.spot;

import io.knabla.controller.spot.policy.ZoneOffer;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/** Prices of capacity over time, and the rules by which it is billed. */
public sealed interface Market permits RelativeMarket, Ec2Market {
    /** What each zone offers at a time. */
    List<ZoneOffer> offers(List<String> zones, Instant at);

    /** Bill of one instance. */
    BigDecimal bill(BilledInstance life);
}
