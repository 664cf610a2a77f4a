package io.knabla.controller.app;

import io.knabla.controller.cost.query.CurrentPrices;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.warm.act.WarmKeeper.UsageNow;
import io.knabla.controller.warm.policy.AdaptivePolicy;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What runs now, and what its memory costs: the mean price on demand of the nodes, by their memory. */
final class PricedUsage implements UsageNow {
    private final UsageSource usage;
    private final CurrentPrices prices;
    private final Clock clock;
    private volatile Memory memory = new Memory(Optional.empty(), AdaptivePolicy.USD_PER_GB_SECOND);

    /** Price by the book that was read last. */
    private record Memory(Optional<PriceBook> book, double usdPerGbSecond) {}

    PricedUsage(UsageSource usage, CurrentPrices prices, Clock clock) {
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
        prices.book()
                .filter(book -> memory.book().filter(known -> known == book).isEmpty())
                .ifPresent(book -> memory = new Memory(Optional.of(book), mean(usage.nodes(), book, clock.instant())));
        return memory.usdPerGbSecond();
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
