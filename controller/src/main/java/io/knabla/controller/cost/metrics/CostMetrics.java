package io.knabla.controller.cost.metrics;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.config.PeriodicTask;
import io.knabla.controller.cost.query.UsagePricing;
import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.cost.scenario.NodeRates;
import io.knabla.controller.price.Price;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeInterval;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Exports, as Prometheus metrics, the hourly price of each running node and the dollars spent since this process
 * started. It asks once a minute, first a minute after the start because this loads the prices. Nodes without a known
 * price have no series.
 */
@Singleton
public final class CostMetrics implements Lifecycle {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Optional<UsageSource> source;
    private final Function<Instant, Function<NodeInterval, Optional<Price>>> prices;
    private final Clock clock;
    private final Map<String, MultiGauge> gauges;
    private final Map<CapacityType, Counter> spent = new EnumMap<>(CapacityType.class);
    private final PeriodicTask task =
            new PeriodicTask("knabla-cost-metrics", "update the metrics of costs", this::update);
    private Instant last;

    @Inject
    CostMetrics(Instance<UsageSource> source, UsagePricing pricing, Clock clock, MeterRegistry meters) {
        this(source.stream().findFirst(), pricing::hourly, clock, meters);
    }

    /** @param prices of an hour of a node at a time */
    CostMetrics(
            Optional<UsageSource> source,
            Function<Instant, Function<NodeInterval, Optional<Price>>> prices,
            Clock clock,
            MeterRegistry meters) {
        this.source = source;
        this.prices = prices;
        this.clock = clock;
        this.last = clock.instant();
        this.gauges = Map.of(
                "node.total.hourly.cost", gauge(meters, "node.total.hourly.cost", "Dollars of an hour of a node"),
                "node.cpu.hourly.cost", gauge(meters, "node.cpu.hourly.cost", "Dollars of an hour of one vCPU"),
                "node.ram.hourly.cost", gauge(meters, "node.ram.hourly.cost", "Dollars of an hour of one GiB"),
                "node.gpu.hourly.cost", gauge(meters, "node.gpu.hourly.cost", "Dollars of an hour of one GPU"));
        for (CapacityType capacity : CapacityType.values()) {
            spent.put(
                    capacity,
                    Counter.builder("knabla.cost.dollars")
                            .description("Dollars of nodes since this process started, as far as prices are known")
                            .tag("capacity", name(capacity))
                            .register(meters));
        }
    }

    private static MultiGauge gauge(MeterRegistry meters, String name, String description) {
        return MultiGauge.builder(name).description(description).register(meters);
    }

    private static String name(CapacityType capacity) {
        return capacity.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public void start() {
        if (source.isPresent()) {
            task.start(PAUSE, PAUSE);
        }
    }

    /** Adds what was spent since the last time, and replaces the prices. */
    void update() {
        Instant now = clock.instant();
        List<NodeInterval> nodes = source.map(UsageSource::nodes).orElse(List.of());
        Function<NodeInterval, Optional<Price>> hourly = prices.apply(now);
        Map<String, List<MultiGauge.Row<?>>> rows = new HashMap<>();
        gauges.keySet().forEach(name -> rows.put(name, new ArrayList<>()));
        for (NodeInterval node : nodes) {
            hourly.apply(node).ifPresent(price -> {
                spent.get(node.capacity())
                        .increment(since(last, now, node, price).doubleValue());
                if (node.time().end().isEmpty()) {
                    add(rows, node, price.usd());
                }
            });
        }
        gauges.forEach((name, gauge) -> gauge.register(rows.get(name), true));
        last = now;
    }

    private static BigDecimal since(Instant last, Instant now, NodeInterval node, Price price) {
        return node.time()
                .within(last, now)
                .map(part -> Dollars.seconds(
                        Duration.between(part.start(), part.end().orElseThrow())))
                .map(seconds -> Dollars.ofHourly(seconds.multiply(price.usd())))
                .orElse(BigDecimal.ZERO);
    }

    private static void add(Map<String, List<MultiGauge.Row<?>>> rows, NodeInterval node, BigDecimal perHour) {
        Tags tags = Tags.of(
                "node", node.name(),
                "instance_type", node.instanceType(),
                "region", node.region(),
                "zone", node.zoneId(),
                "capacity", name(node.capacity()));
        NodeRates rates = NodeRates.of(node.size(), perHour);
        rows.get("node.total.hourly.cost").add(MultiGauge.Row.of(tags, perHour.doubleValue()));
        rows.get("node.cpu.hourly.cost")
                .add(MultiGauge.Row.of(tags, rates.vcpu().doubleValue()));
        rows.get("node.ram.hourly.cost").add(MultiGauge.Row.of(tags, rates.gib().doubleValue()));
        rows.get("node.gpu.hourly.cost").add(MultiGauge.Row.of(tags, rates.gpu().doubleValue()));
    }

    @Override
    public void close() {
        task.close();
    }
}
