package io.knabla.controller.knative.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Toleration;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.settings.Feature;
import io.knabla.controller.machine.Architecture;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which nodes accept which slot's pods, by the documented Kubernetes rules for affinity and taints. */
class SchedulingConstraintsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # node                   | labels                                                     | taints                                  | takes
            kind, a laptop           |                                                            |                                         | cpu-on-demand gpu-on-demand
            Karpenter, on demand     | karpenter.sh/capacity-type=on-demand                       |                                         | cpu-on-demand gpu-on-demand
            Karpenter, reserved      | karpenter.sh/capacity-type=reserved                        |                                         | cpu-on-demand gpu-on-demand
            Karpenter, spot          | karpenter.sh/capacity-type=spot                            |                                         | cpu-spot gpu-spot
            spot, tainted by label   | karpenter.sh/capacity-type=spot                            | karpenter.sh/capacity-type              | cpu-spot gpu-spot
            our spot pool            | karpenter.sh/capacity-type=spot knabla.dev/pool=cpu        | knabla.dev/spot                         | cpu-spot gpu-spot
            EKS, spot                | eks.amazonaws.com/capacityType=SPOT                        |                                         | cpu-spot gpu-spot
            EKS, spot, tainted       | eks.amazonaws.com/capacityType=SPOT                        | eks.amazonaws.com/capacityType          | cpu-spot gpu-spot
            EKS, on demand           | eks.amazonaws.com/capacityType=ON_DEMAND                   |                                         | cpu-on-demand gpu-on-demand
            GPU with a taint         | karpenter.sh/capacity-type=on-demand                       | nvidia.com/gpu                          | gpu-on-demand
            our GPU pool             | karpenter.sh/capacity-type=on-demand knabla.dev/pool=gpu   | nvidia.com/gpu                          | gpu-on-demand
            GPU, labelled, no taint  | knabla.dev/pool=gpu                                        |                                         | gpu-on-demand
            GPU on spot              | karpenter.sh/capacity-type=spot                            | karpenter.sh/capacity-type nvidia.com/gpu | gpu-spot
            our GPU pool on spot     | karpenter.sh/capacity-type=spot knabla.dev/pool=gpu        | nvidia.com/gpu                          | gpu-spot
            another architecture     | kubernetes.io/arch=amd64                                   |                                         |
            another system           | kubernetes.io/os=windows karpenter.sh/capacity-type=spot   |                                         |
            somebody else's          | karpenter.sh/capacity-type=spot                            | team.example/own                        |
            """)
    void acceptsPodsOfSlots(String node, String labels, String taints, String takes) {
        Map<String, String> labelled =
                new HashMap<>(Map.of("kubernetes.io/arch", "arm64", "kubernetes.io/os", "linux"));
        words(labels).map(w -> w.split("=")).forEach(w -> labelled.put(w[0], w[1]));
        List<String> tainted = words(taints).toList();

        String fitting = CapacitySlot.all()
                .filter(slot -> isWanted(slot, labelled))
                .filter(slot -> isTolerated(slot, tainted))
                .map(CapacitySlot::toString)
                .collect(Collectors.joining(" "));

        assertThat(fitting).isEqualTo(takes == null ? "" : takes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cpu-on-demand |                        | EmptyDir
            cpu-on-demand | cpu-on-demand          | EmptyDir
            cpu-on-demand | cpu-on-demand,cpu-spot | EmptyDir Affinity
            cpu-spot      | cpu-spot               | EmptyDir Affinity Tolerations
            gpu-on-demand | gpu-on-demand          | EmptyDir Tolerations
            gpu-on-demand | cpu-on-demand          | EmptyDir Tolerations Affinity
            gpu-spot      |                        | EmptyDir Affinity Tolerations
            """)
    void requiresOnlyFeaturesThatSelectNodes(String slot, String supply, String features) {
        assertThat(SchedulingConstraints.requiredFeatures(
                        PlacementPlanTest.slot(slot), PlacementPlanTest.supply(supply), 1))
                .isEqualTo(words(features).map(Feature::valueOf).collect(Collectors.toSet()));
    }

    /** Without affinity a pod could get one of another number of shares. */
    @Test
    void shareOfAGpuRequiresAffinity() {
        assertThat(SchedulingConstraints.requiredFeatures(
                        PlacementPlanTest.slot("gpu-on-demand"), PlacementPlanTest.supply("gpu-on-demand"), 4))
                .contains(Feature.Affinity);
    }

    @Test
    void prefersZoneSpreadWithoutRequiringIt() {
        var spread = SchedulingConstraints.overZones(Map.of("knabla.dev/function", "f"));

        assertThat(spread.getWhenUnsatisfiable()).isEqualTo("ScheduleAnyway");
        assertThat(spread.getTopologyKey()).isEqualTo("topology.kubernetes.io/zone");
        assertThat(spread.getLabelSelector().getMatchLabels()).isEqualTo(Map.of("knabla.dev/function", "f"));
    }

    @Test
    void prefersReservedNodesToOthersOnDemand() {
        CapacitySlot.all().forEach(slot -> {
            var preferred = SchedulingConstraints.affinity(slot, new Architecture("arm64"), 1)
                    .getNodeAffinity()
                    .getPreferredDuringSchedulingIgnoredDuringExecution();
            if (slot.isSpot()) {
                assertThat(preferred).isEmpty();
            } else {
                assertThat(preferred)
                        .singleElement()
                        .satisfies(term -> assertThat(term.getPreference().getMatchExpressions())
                                .singleElement()
                                .satisfies(wish -> assertThat(
                                                holds(wish, Map.of("karpenter.sh/capacity-type", "reserved")))
                                        .isTrue()));
            }
        });
    }

    private static boolean isWanted(CapacitySlot slot, Map<String, String> labels) {
        List<NodeSelectorTerm> terms = SchedulingConstraints.affinity(slot, new Architecture("arm64"), 1)
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms();
        return terms.stream()
                .anyMatch(term -> term.getMatchExpressions().stream().allMatch(wish -> holds(wish, labels)));
    }

    private static boolean holds(NodeSelectorRequirement wish, Map<String, String> labels) {
        boolean among = wish.getValues().contains(labels.get(wish.getKey()));
        return switch (wish.getOperator()) {
            case "In" -> among;
            case "NotIn" -> !among;
            default -> throw new IllegalArgumentException(wish.getOperator());
        };
    }

    private static boolean isTolerated(CapacitySlot slot, List<String> taints) {
        Set<String> tolerated = SchedulingConstraints.tolerations(slot).stream()
                .filter(toleration -> "Exists".equals(toleration.getOperator()))
                .map(Toleration::getKey)
                .collect(Collectors.toSet());
        return tolerated.containsAll(taints);
    }

    private static Stream<String> words(String text) {
        return text == null ? Stream.empty() : Arrays.stream(text.split(" "));
    }
}
