package io.knabla.controller.knative.signal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.knabla.controller.spot.signal.CapacitySignal;
import io.knabla.controller.spot.signal.CapacitySignal.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeTaintsTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    private static Node node(String... taints) {
        var spec =
                new NodeBuilder().withNewMetadata().withName("a").endMetadata().withNewSpec();
        for (String key : taints) {
            spec = spec.addNewTaint().withKey(key).withEffect("NoSchedule").endTaint();
        }
        return spec.endSpec().build();
    }

    @Test
    void aNodeWithoutTaintsOfAnEndHasNoSignal() {
        assertThat(NodeTaints.signal(new NodeBuilder().build(), NOW)).isEmpty();
        assertThat(NodeTaints.signal(node("nvidia.com/gpu", "knabla.dev/spot"), NOW))
                .isEmpty();
    }

    @Test
    void theStrongestTaintCounts() {
        Node node = node("aws-node-termination-handler/rebalance-recommendation", "karpenter.sh/disrupted");
        assertThat(NodeTaints.signal(node, NOW))
                .contains(new CapacitySignal("a", Kind.INTERRUPTION_WARNING, NOW.plusSeconds(120)));
    }

    @Test
    void theTimeOfATaintCounts() {
        Node node = node();
        node.getSpec()
                .getTaints()
                .add(new io.fabric8.kubernetes.api.model.TaintBuilder()
                        .withKey("cloud.google.com/impending-node-termination")
                        .withEffect("NoExecute")
                        .withTimeAdded("2026-11-23T11:59:30Z")
                        .build());
        assertThat(NodeTaints.signal(node, NOW).orElseThrow().until()).isEqualTo(NOW.plusSeconds(90));
    }
}
