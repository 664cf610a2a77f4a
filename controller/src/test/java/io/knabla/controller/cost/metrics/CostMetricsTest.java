package io.knabla.controller.cost.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.cost.record.UsageSource;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A node of 4 vCPUs and 16 GiB for 0.36 USD an hour; one of an unknown type has no price. */
class CostMetricsTest {
    private static final Instant START = Instant.parse("2026-11-23T12:00:00Z");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<NodeInterval> nodes = new ArrayList<>();
    private Instant now = START;

    private final CostMetrics metrics = new CostMetrics(
            Optional.of(new Nodes()),
            at -> node -> node.instanceType().equals("known")
                    ? Optional.of(new Price(
                            new BigDecimal("0.36"), new Provenance(Provenance.Quality.DECLARED, "a test", START)))
                    : Optional.empty(),
            new Clock() {
                @Override
                public Instant instant() {
                    return now;
                }

                @Override
                public ZoneId getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }
            },
            meters);

    private final class Nodes implements UsageSource {
        @Override
        public boolean hasSynced() {
            return true;
        }

        @Override
        public List<NodeInterval> nodes() {
            return nodes;
        }

        @Override
        public List<ReplicaInterval> replicas() {
            return List.of();
        }

        @Override
        public void onChange(Runnable listener) {}

        @Override
        public NodeInterval ended(NodeInterval lastSeen, Instant seen) {
            return lastSeen;
        }

        @Override
        public ReplicaInterval ended(ReplicaInterval lastSeen, Instant seen) {
            return lastSeen;
        }
    }

    private static NodeInterval node(String type, CapacityType capacity, Optional<Instant> end) {
        Resources size = new Resources(BigDecimal.valueOf(4), 16L << 30, 0);
        return new NodeInterval(
                type + capacity,
                "n1",
                "cpu",
                capacity,
                type,
                "r",
                "z",
                size,
                new Interval(START.minusSeconds(60), end),
                NodeEnd.RUNNING);
    }

    private double gauge(String name) {
        return meters.get(name)
                .tag("node", "n1")
                .tag("capacity", "spot")
                .gauge()
                .value();
    }

    private double spent(String capacity) {
        return meters.get("knabla.cost.dollars")
                .tag("capacity", capacity)
                .counter()
                .count();
    }

    @Test
    void pricesOfANodeAreThoseOfItsParts() {
        nodes.add(node("known", CapacityType.SPOT, Optional.empty()));
        nodes.add(node("unknown", CapacityType.SPOT, Optional.empty()));
        metrics.update();

        assertThat(gauge("node.total.hourly.cost")).isEqualTo(0.36);
        assertThat(4 * gauge("node.cpu.hourly.cost") + 16 * gauge("node.ram.hourly.cost"))
                .isCloseTo(0.36, within(1e-12));
        assertThat(gauge("node.gpu.hourly.cost")).isZero();
        assertThat(meters.find("node.total.hourly.cost").gauges()).hasSize(1);

        nodes.clear();
        metrics.update();
        assertThat(meters.find("node.total.hourly.cost").gauges()).isEmpty();
    }

    /** 60 s of one node and 30 s of another, 0.0001 USD a second. */
    @Test
    void dollarsCountFromTheStartOfTheProcess() {
        nodes.add(node("known", CapacityType.SPOT, Optional.empty()));
        nodes.add(node("known", CapacityType.ON_DEMAND, Optional.of(START.plusSeconds(30))));
        now = START.plus(Duration.ofSeconds(60));
        metrics.update();
        assertThat(spent("spot")).isCloseTo(0.006, within(1e-12));
        assertThat(spent("on-demand")).isCloseTo(0.003, within(1e-12));

        now = START.plus(Duration.ofSeconds(120));
        metrics.update();
        assertThat(spent("spot")).isCloseTo(0.012, within(1e-12));
        assertThat(spent("on-demand")).isCloseTo(0.003, within(1e-12));
    }
}
