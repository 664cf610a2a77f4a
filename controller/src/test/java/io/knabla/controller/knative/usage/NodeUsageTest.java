package io.knabla.controller.knative.usage;

import static io.knabla.controller.knative.usage.Objects.READY;
import static io.knabla.controller.knative.usage.Objects.at;
import static io.knabla.controller.knative.usage.Objects.node;
import static io.knabla.controller.knative.usage.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.Resources;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeUsageTest {
    private static final String KARPENTER = "{karpenter.sh/capacity-type: spot, knabla.dev/pool: cpu,"
            + " node.kubernetes.io/instance-type: m7i.large, topology.kubernetes.io/region: us-east-1,"
            + " topology.kubernetes.io/zone: us-east-1a, topology.k8s.aws/zone-id: use1-az4}";

    @Test
    void aNodeIsPaidForFromItsCreationWithItsCapacity() {
        assertThat(NodeUsage.of(node(KARPENTER, "[]"), Optional.empty(), false))
                .isEqualTo(new NodeInterval(
                        "6f0c1c1e-node",
                        "spot-1",
                        "cpu",
                        CapacityType.SPOT,
                        "m7i.large",
                        "us-east-1",
                        "use1-az4",
                        new Resources(new BigDecimal("2"), 8L << 30, 0),
                        new Interval(at("13:50:00"), Optional.empty()),
                        NodeEnd.RUNNING));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {karpenter.sh/capacity-type: spot}              | SPOT
                    {eks.amazonaws.com/capacityType: SPOT}          | SPOT
                    {cloud.google.com/gke-spot: "true"}             | SPOT
                    {cloud.google.com/gke-preemptible: "true"}      | SPOT
                    {kubernetes.azure.com/scalesetpriority: spot}   | SPOT
                    {karpenter.sh/capacity-type: on-demand}         | ON_DEMAND
                    {}                                              | ON_DEMAND
                    """)
    void spotNodesOfAnyProviderAreKnownByTheirLabels(String labels, CapacityType type) {
        assertThat(NodeUsage.of(node(labels, "[]"), Optional.empty(), false).capacity())
                .isEqualTo(type);
    }

    @Test
    void whatIsNotLabelledIsEmptyAndAZoneNameStandsInForItsId() {
        NodeInterval plain = NodeUsage.of(node("{topology.kubernetes.io/zone: zone-b}", "[]"), Optional.empty(), false);

        assertThat(plain.instanceType()).isEmpty();
        assertThat(plain.region()).isEmpty();
        assertThat(plain.zoneId()).isEqualTo("zone-b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{key: aws-node-termination-handler/spot-itn, effect: NoSchedule}]",
                "[{key: cloud.google.com/impending-node-termination, effect: NoSchedule}]"
            })
    void aNoticeIsAnInterruptionOnceTheNodeIsGone(String taints) {
        assertThat(NodeUsage.of(node(KARPENTER, taints), Optional.empty(), false)
                        .end())
                .isEqualTo(NodeEnd.RUNNING);
        assertThat(NodeUsage.of(node(KARPENTER, taints), Optional.of(at("14:00:00")), false)
                        .end())
                .isEqualTo(NodeEnd.INTERRUPTED);
    }

    /** Karpenter's taint comes with every kind of end; only its event tells which. */
    @Test
    void aNodeWithoutANoticeWasReleasedUnlessAnEventSaysOtherwise() {
        var disrupted = node(KARPENTER, "[{key: karpenter.sh/disrupted, effect: NoSchedule}]");

        assertThat(NodeUsage.of(disrupted, Optional.of(at("14:00:00")), false).end())
                .isEqualTo(NodeEnd.RELEASED);
        assertThat(NodeUsage.of(disrupted, Optional.of(at("14:00:00")), true).end())
                .isEqualTo(NodeEnd.INTERRUPTED);
    }

    @Test
    void aPodRanOnTheNodeThatHadThatNameThen() {
        SeenNode first = SeenNode.of(node("{}", "[]")).deleted(at("13:59:00"));
        var later = node("{}", "[]");
        later.getMetadata().setCreationTimestamp("2026-11-21T13:53:08Z");
        SeenNode second = SeenNode.of(later);

        assertThat(SeenNode.of(pod(READY), List.of(second, first))).contains(first);
        assertThat(SeenNode.of(pod(READY.replace("13:53:07", "13:53:08")), List.of(second, first)))
                .contains(second);
        assertThat(SeenNode.of(pod(READY), List.of(second))).contains(second);
        assertThat(SeenNode.of(pod(READY), List.of())).isEmpty();
    }

    @Test
    void aClockThatIsBehindTheApiServerEndsNoNodeBeforeItsStart() {
        assertThat(NodeUsage.of(node(KARPENTER, "[]"), Optional.of(at("13:49:58")), false)
                        .time())
                .isEqualTo(Interval.of(at("13:50:00"), at("13:50:00")));
    }
}
