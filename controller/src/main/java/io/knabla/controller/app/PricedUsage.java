package io.knabla.controller.app;

import static java.lang.System.Logger.Level.WARNING;

import io.knabla.controller.cost.price.Price;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.warm.act.WarmKeeper.UsageNow;
import io.knabla.controller.warm.policy.AdaptivePolicy;
import io.knabla.storage.StorageException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/** What runs now, and what its memory costs: the mean price on demand of the nodes, by their memory. */
final class PricedUsage implements UsageNow {
    private static final System.Logger LOG = System.getLogger(PricedUsage.class.getName());
    private static final Duration FRESH = Duration.ofMinutes(10);

    private final UsageSource usage;
    private final Supplier<PriceBook> prices;
    private final Clock clock;
    private Instant pricedAt = Instant.MIN;
    private volatile double usdPerGbSecond = AdaptivePolicy.USD_PER_GB_SECOND;

    /** @param prices may read the store */
    PricedUsage(UsageSource usage, Supplier<PriceBook> prices, Clock clock) {
        this.usage = usage;
        this.prices = prices;
        this.clock = clock;
    }

    @Override
    public boolean isKnown() {
        return usage.hasSynced();
    }

    @Override
    public List<ReplicaInterval> replicas() {
        return usage.replicas();
    }

    @Override
    public double usdPerGbSecond() {
        Instant now = clock.instant();
        if (now.isAfter(pricedAt.plus(FRESH))) {
            pricedAt = now;
            Thread.startVirtualThread(() -> refresh(now));
        }
        return usdPerGbSecond;
    }

    private void refresh(Instant now) {
        try {
            usdPerGbSecond = mean(usage.nodes(), prices.get(), now);
        } catch (StorageException outage) {
            LOG.log(WARNING, "the price of memory stays as it was: {0}", outage.getMessage());
        }
    }

    /** A typical node's price where none is known. */
    static double mean(List<NodeInterval> nodes, PriceBook book, Instant now) {
        return nodes.stream()
                .filter(node -> node.size().memoryBytes() > 0 && !node.size().hasGpu())
                .flatMap(node -> book.onDemand(node.instanceType(), node.region(), now).stream()
                        .map(price -> perGbSecond(price, node)))
                .mapToDouble(Double::doubleValue)
                .filter(usd -> usd > 0)
                .average()
                .orElse(AdaptivePolicy.USD_PER_GB_SECOND);
    }

    private static double perGbSecond(Price price, NodeInterval node) {
        return price.usd().doubleValue() / 3600 / (node.size().memoryBytes() / 1e9);
    }
}
