package io.knabla.controller.knative.signal;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.knative.KnativeView;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On Fabric8's mock server: taints that come and go, and signals of instances. */
@EnableKubernetesMockClient(https = false, crud = true)
class ClusterSignalsTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    KubernetesClient client;
    private final CapacitySignals signals = new CapacitySignals();
    private final List<String> interrupted = new ArrayList<>();
    private KnativeView view;
    private ClusterSignals received;

    @BeforeEach
    void open() {
        view = KnativeView.open(client, List.of());
        received = new ClusterSignals(
                view,
                signals,
                node -> interrupted.add(node.getMetadata().getName()),
                () -> NOW,
                () -> true,
                Optional.empty());
        received.start();
        create("node-a", "i-0aaa");
    }

    @AfterEach
    void close() {
        received.close();
        view.close();
    }

    private void create(String name, String instance) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withProviderID("aws:///eu-central-1a/" + instance)
                        .endSpec()
                        .build())
                .create();
        await().until(() -> view.node(name).isPresent());
    }

    private void edit(java.util.function.UnaryOperator<Node> change) {
        client.nodes().withName("node-a").edit(change);
    }

    @Test
    void aTaintSignalsUntilItIsTakenAway() {
        edit(node -> new NodeBuilder(node)
                .editSpec()
                .addNewTaint("NoSchedule", "karpenter.sh/disrupted", null, null)
                .endSpec()
                .build());
        await().until(() -> signals.of("node-a").isPresent());
        assertThat(signals.of("node-a").orElseThrow().kind()).isEqualTo(Kind.INTERRUPTION_WARNING);

        edit(node -> new NodeBuilder(node).editSpec().withTaints().endSpec().build());
        await().until(() -> signals.of("node-a").isEmpty());
    }

    @Test
    void signalsOfInstancesAreThoseOfTheirNodesAndOthersAreDropped() {
        received.received(new CapacitySignal("i-0aaa", Kind.REBALANCE_RECOMMENDED, NOW));
        received.received(new CapacitySignal("i-0bbb", Kind.INTERRUPTION_WARNING, NOW));
        assertThat(signals.current()).containsOnlyKeys("node-a");
        assertThat(interrupted).isEmpty();

        received.received(new CapacitySignal("i-0aaa", Kind.INTERRUPTION_WARNING, NOW));
        received.received(new CapacitySignal("i-0aaa", Kind.INTERRUPTION_WARNING, NOW));
        assertThat(interrupted).containsExactly("node-a");
    }

    @Test
    void aNodeThatIsGoneIsForgotten() {
        received.received(new CapacitySignal("i-0aaa", Kind.GONE, NOW));
        client.nodes().withName("node-a").delete();
        await().until(() -> signals.current().isEmpty());
    }
}
