package io.knabla.controller.knative.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which capacity slots are derived from nodes and Karpenter NodePools. */
class AvailableCapacityTest {
    @Test
    void countsReadySchedulableNodes() {
        Node spot = node(Map.of("karpenter.sh/capacity-type", "spot"), "True");
        Node lost = node(Map.of("eks.amazonaws.com/capacityType", "SPOT"), "Unknown");
        Node cordoned = new NodeBuilder(spot)
                .editOrNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .build();
        Node going = new NodeBuilder(spot)
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();

        assertThat(of(List.of(spot, node(Map.of(), "True")))).isEqualTo(supply("cpu-spot,cpu-on-demand"));
        assertThat(of(List.of(lost, cordoned, going))).isEqualTo(supply(""));
        assertThat(of(List.of(new NodeBuilder().withNewMetadata().endMetadata().build())))
                .isEqualTo(supply(""));
    }

    @Test
    void marksSlotsWithOnlyKwokNodesAsSimulated() {
        Node real = node(Map.of("karpenter.sh/capacity-type", "spot"), "True");
        Node fake = new NodeBuilder(real)
                .editMetadata()
                .addToAnnotations("kwok.x-k8s.io/node", "fake")
                .endMetadata()
                .build();
        CapacitySlot spot = new CapacitySlot(Pool.cpu, CapacityType.Spot);

        assertThat(of(List.of(fake))).isEqualTo(new AvailableCapacity(Set.of(spot), Set.of(spot)));
        assertThat(of(List.of(fake, real))).isEqualTo(new AvailableCapacity(Set.of(spot), Set.of()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            nothing said           | {}                                                                                              | cpu-on-demand
            spot only              | {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]}}         | cpu-spot
            either                 | {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}]}} | cpu-spot,cpu-on-demand
            all but spot           | {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: NotIn, values: [spot]}]}}      | cpu-on-demand
            reserved               | {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [reserved]}]}}     | cpu-on-demand
            reserved or spot       | {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [reserved, spot]}]}} | cpu-spot,cpu-on-demand
            all but on demand      | {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: NotIn, values: [on-demand, reserved]}]}} | cpu-spot
            other requirements     | {spec: {requirements: [{key: kubernetes.io/arch, operator: In, values: [spot]}]}}                 | cpu-on-demand
            GPUs by our label      | {metadata: {labels: {knabla.dev/pool: gpu}}}                                                    | gpu-on-demand
            GPUs by their taint    | {spec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}}                                   | gpu-on-demand
            another taint          | {spec: {taints: [{key: knabla.dev/spot, effect: NoSchedule}]}}                                  | cpu-on-demand
            """)
    void countsNodePoolsWithoutNodes(String name, String template, String slots) {
        GenericKubernetesResource pool = Serialization.unmarshal(
                "apiVersion: karpenter.sh/v1\nkind: NodePool\nspec: {template: %s}".formatted(template),
                GenericKubernetesResource.class);

        assertThat(AvailableCapacity.of(List.of(), List.of(pool))).isEqualTo(supply(slots));
    }

    @Test
    void treatsEmptyNodePoolAsOnDemand() {
        assertThat(AvailableCapacity.of(List.of(), List.of(new GenericKubernetesResource())))
                .isEqualTo(supply("cpu-on-demand"));
    }

    private static AvailableCapacity of(List<Node> nodes) {
        return AvailableCapacity.of(nodes, List.of());
    }

    private static Node node(Map<String, String> labels, String ready) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n")
                .withLabels(labels)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .endStatus()
                .build();
    }

    private static AvailableCapacity supply(String slots) {
        List<String> names = List.of(slots.split(","));
        return new AvailableCapacity(
                CapacitySlot.all()
                        .filter(slot -> names.contains(slot.toString()))
                        .collect(Collectors.toSet()),
                Set.of());
    }
}
