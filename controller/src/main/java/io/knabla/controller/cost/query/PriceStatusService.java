package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.config.Settings;
import io.knabla.controller.cost.pricelist.PriceRefresher;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.price.Price;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds out how complete and how old prices are. */
@Singleton
public class PriceStatusService {
    private static final Duration USED = Duration.ofHours(24);

    private final UsagePricing pricing;
    private final PlatformPrices prices;
    private final PriceRefresher refresher;
    private final Settings settings;
    private final Clock clock;

    PriceStatusService(UsagePricing pricing, PlatformPrices prices, ObjectStore store, Settings settings, Clock clock) {
        this.pricing = pricing;
        this.prices = prices;
        this.refresher = new PriceRefresher(store, clock);
        this.settings = settings;
        this.clock = clock;
    }

    /** @throws IOException if the ledger cannot be read */
    public PriceStatus status() throws IOException {
        Instant now = clock.instant();
        Optional<PriceRefresher.Refresh> last = refresher.last();
        Instant newest = Stream.concat(
                        Stream.of(BundledPrices.NEWEST),
                        last.filter(refresh -> refresh.prices() > 0).map(PriceRefresher.Refresh::at).stream())
                .max(Instant::compareTo)
                .orElseThrow();
        return new PriceStatus(
                newest,
                settings.priceRefresh().every().isPresent(),
                last.orElse(null),
                unpriced(now),
                prices.known(List.of()).damages());
    }

    private List<String> unpriced(Instant now) throws IOException {
        Function<NodeInterval, Optional<Price>> price = pricing.hourly(now);
        return pricing.read(Period.past(now.minus(USED), now)).rows().nodes().stream()
                .filter(node -> price.apply(node).isEmpty())
                .map(node -> node.instanceType() + (node.capacity() == CapacityType.SPOT ? " on spot" : ""))
                .distinct()
                .sorted()
                .toList();
    }
}
