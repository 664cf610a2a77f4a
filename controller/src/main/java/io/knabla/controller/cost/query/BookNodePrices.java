package io.knabla.controller.cost.query;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.price.PriceBook.TimedPrice;
import io.knabla.controller.cost.price.ZoneIds;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.NodePrices;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Prices of nodes from the platform's price book, by AWS's zone ids. They are read in the background, because the book
 * may read the store: a node's prices are unknown until then.
 */
@Singleton
public final class BookNodePrices implements NodePrices {
    private static final System.Logger LOG = System.getLogger(BookNodePrices.class.getName());

    /** Refreshed prices are read as often. */
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final Supplier<PriceBook> book;
    private final Clock clock;
    private final Map<Offer, Known> known = new ConcurrentHashMap<>();

    private record Offer(String instanceType, String zone, String region) {}

    private record Known(Instant asked, Optional<Hourly> prices) {}

    @Inject
    BookNodePrices(PlatformPrices prices, Clock clock) {
        this(prices::book, clock);
    }

    BookNodePrices(Supplier<PriceBook> book, Clock clock) {
        this.book = book;
        this.clock = clock;
    }

    @Override
    public Optional<Hourly> of(Node node) {
        return ZoneIds.region(node.zone())
                .flatMap(region -> of(new Offer(node.instanceType(), node.zone(), region), clock.instant()));
    }

    private Optional<Hourly> of(Offer offer, Instant now) {
        Known last = known.get(offer);
        if (last == null || !now.isBefore(last.asked().plus(FRESH))) {
            Optional<Hourly> before = last == null ? Optional.empty() : last.prices();
            known.put(offer, new Known(now, before));
            Thread.ofVirtual().name("knabla-node-prices").start(() -> read(offer, now));
            return before;
        }
        return last.prices();
    }

    private void read(Offer offer, Instant now) {
        try {
            PriceBook prices = book.get();
            var time = Interval.of(now, now.plusSeconds(1));
            Optional<Double> onDemand = prices.onDemand(offer.instanceType(), offer.region(), now)
                    .map(price -> price.usd().doubleValue());
            Optional<Double> spot = prices.spot(offer.instanceType(), offer.region(), offer.zone(), time).stream()
                    .map(TimedPrice::perHour)
                    .map(price -> price.usd().doubleValue())
                    .findFirst();
            known.put(
                    offer,
                    new Known(
                            now,
                            spot.filter(usd -> usd > 0)
                                    .flatMap(low ->
                                            onDemand.filter(usd -> usd > 0).map(high -> new Hourly(low, high)))));
        } catch (RuntimeException failed) {
            LOG.log(WARNING, "prices of {0} cannot be read: {1}", offer, failed.getMessage());
        }
    }
}
