package io.knabla.controller.cost.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.price.PriceBook;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BookNodePricesTest {
    private static final PriceBook BUNDLED = BundledPrices.book();
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-07-21T00:00:00Z"), ZoneOffset.UTC);
    private static final Node KNOWN = node("m5.large", "use1-az1");

    private final AtomicInteger reads = new AtomicInteger();
    private final CurrentPrices current = new CurrentPrices(this::read);
    private final BookNodePrices prices = new BookNodePrices(current, CLOCK);

    private PriceBook read() {
        reads.incrementAndGet();
        return BUNDLED;
    }

    private static Node node(String type, String zone) {
        return new Node("spot-a", Pool.cpu, CapacityType.Spot, type, zone, 1);
    }

    @AfterEach
    void close() {
        current.close();
    }

    @Test
    void pricesAreKnownOnceTheyAreRead() {
        await().until(() -> prices.of(KNOWN).isPresent());

        assertThat(prices.of(KNOWN).orElseThrow().onDemand()).isEqualTo(0.096);
        assertThat(prices.of(KNOWN).orElseThrow().spot()).isBetween(0.01, 0.095);
    }

    /** Its name ends with a letter, which means another zone in each account. */
    @Test
    void aNodeOfAClusterIsPricedByItsZonesId() {
        await().until(() -> prices.of(KNOWN).isPresent());
        Node onCluster = ClusterNode.of(new NodeBuilder()
                .withNewMetadata()
                .withName("ip-10-0-0-1")
                .addToLabels("node.kubernetes.io/instance-type", "m5.large")
                .addToLabels("topology.kubernetes.io/zone", "us-east-1d")
                .addToLabels("topology.k8s.aws/zone-id", "use1-az1")
                .endMetadata()
                .build());

        assertThat(onCluster.zone()).isEqualTo("us-east-1d");
        assertThat(prices.of(onCluster)).isEqualTo(prices.of(KNOWN));
    }

    @Test
    void onDemandSaysWhatTheNodeHasForIt() {
        await().until(() -> prices.of(KNOWN).isPresent());

        assertThat(prices.onDemand(node("g4dn.12xlarge", "use1-az1"))).hasValueSatisfying(price -> {
            assertThat(price.gpus()).isEqualTo(4);
            assertThat(price.vcpus()).isEqualTo(48);
            assertThat(price.dollarsPerHour()).isGreaterThan(1);
        });
        assertThat(prices.onDemand(node("g4dn.12xlarge", "us-east-1a")))
                .isEqualTo(prices.onDemand(node("g4dn.12xlarge", "use1-az1")));
        assertThat(prices.onDemand(node("local", "local-a"))).isEmpty();
    }

    @Test
    void aTypeOrAZoneThatTheBookLacksHasNoPrice() {
        await().until(() -> prices.of(KNOWN).isPresent());

        assertThat(prices.of(node("local", "local-a"))).isEmpty();
        assertThat(prices.of(node("x9.huge", "use1-az1"))).isEmpty();
        assertThat(reads).as("one read answers all questions").hasValue(1);
    }
}
