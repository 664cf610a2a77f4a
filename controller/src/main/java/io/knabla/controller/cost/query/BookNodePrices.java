package io.knabla.controller.cost.query;

import io.knabla.controller.machine.Node;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.price.InstanceSizes;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.price.PriceBook.TimedPrice;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.price.ZoneIds;
import io.knabla.controller.usage.Interval;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Looks prices of nodes up in the platform's price book, by AWS's zone ids; unknown until the book was read. */
@Singleton
public final class BookNodePrices implements NodePrices {
    /** Kubernetes names zones as an account of AWS does, by a letter: us-east-1a. */
    private static final Pattern ZONE_LETTER = Pattern.compile("(\\d)[a-z]$");

    private final CurrentPrices current;
    private final Clock clock;
    private volatile Found found = new Found(null, Map.of());

    private record Offer(String instanceType, String zone, String region) {}

    /** What was found in one book. */
    private record Found(PriceBook book, Map<Offer, Optional<Hourly>> prices) {}

    BookNodePrices(CurrentPrices current, Clock clock) {
        this.current = current;
        this.clock = clock;
    }

    @Override
    public Optional<Hourly> of(Node node) {
        return ZoneIds.region(node.zoneId())
                .flatMap(region -> current.book()
                        .flatMap(book -> in(book).prices()
                                .computeIfAbsent(
                                        new Offer(node.instanceType(), node.zoneId(), region),
                                        offer -> prices(offer, book, clock.instant()))));
    }

    @Override
    public Optional<OnDemand> onDemand(Node node) {
        return current.book()
                .flatMap(book -> book.onDemand(node.instanceType(), region(node.zoneId()), clock.instant()))
                .filter(price -> price.provenance().quality() != Quality.ASSUMED)
                .map(price -> price.usd().doubleValue())
                .filter(usd -> usd > 0)
                .map(usd -> InstanceSizes.of(node.instanceType())
                        .map(size -> new OnDemand(
                                usd, size.vcpus().doubleValue(), size.gpus().doubleValue()))
                        .orElseGet(() -> new OnDemand(usd, 0, 0)));
    }

    /** A price that holds everywhere holds in a place that is no zone of AWS, too. */
    private static String region(String zone) {
        return ZoneIds.region(zone).orElseGet(() -> ZONE_LETTER.matcher(zone).replaceFirst("$1"));
    }

    private Found in(PriceBook book) {
        Found last = found;
        if (last.book() != book) {
            last = new Found(book, new ConcurrentHashMap<>());
            found = last;
        }
        return last;
    }

    private static Optional<Hourly> prices(Offer offer, PriceBook book, Instant now) {
        var time = Interval.of(now, now.plusSeconds(1));
        Optional<Double> onDemand = book.onDemand(offer.instanceType(), offer.region(), now)
                .map(price -> price.usd().doubleValue())
                .filter(usd -> usd > 0);
        return book.spot(offer.instanceType(), offer.region(), offer.zone(), time).stream()
                .map(TimedPrice::perHour)
                .map(price -> price.usd().doubleValue())
                .findFirst()
                .filter(usd -> usd > 0)
                .flatMap(spot -> onDemand.map(high -> new Hourly(spot, high)));
    }
}
