package io.knabla.controller.knative.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.interruption.Crowding.Crowded;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.WorkloadOwner;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods are on the node that their name begins with; nodes {@code a} and {@code b} take the same pods. */
class CrowdingTest {
    static final VersionKey VERSION = new VersionKey(new FunctionId("shop", "digits"), 1);
    private static final List<Set<String>> ALIKE = List.of(Set.of("a", "b"), Set.of("x"));

    static RunningPod pod(String name, boolean ready, String revision, Instant created) {
        return new RunningPod(
                name,
                "shop",
                name,
                WorkloadOwner.of(VERSION),
                revision,
                new CapacitySlot(Pool.cpu, CapacityType.Spot),
                name.substring(0, 1),
                Optional.of(created).filter(_ -> ready),
                created,
                Duration.ofSeconds(30),
                Optional.empty());
    }

    private static Map<VersionKey, Crowded> crowding(Stream<RunningPod> pods) {
        return Crowding.of(pods.toList(), ALIKE);
    }

    private static RunningPod ready(String name) {
        return pod(name, true, "digits-1", Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource({
        // pods,       node, on it, in all
        "a1 a2,        a, 2, 2",
        "a1 a2 a3,     a, 3, 3",
        "b1 b2 b3 a1,  b, 3, 4",
    })
    void aNodeWithTwoMoreThanAnotherIsCrowded(String names, String node, int onNode, int replicas) {
        assertThat(crowding(Stream.of(names.split(" ")).map(CrowdingTest::ready)))
                .isEqualTo(Map.of(VERSION, new Crowded(node, onNode, replicas)));
    }

    @ParameterizedTest
    @CsvSource({"a1", "a1 b1", "a1 a2 b1", "x1 x2", "c1 c2"})
    void otherReplicasAreNot(String names) {
        assertThat(crowding(Stream.of(names.split(" ")).map(CrowdingTest::ready)))
                .isEmpty();
    }

    @Test
    void nobodyCrowdsWhileAReplicaStarts() {
        assertThat(crowding(Stream.of(ready("a1"), ready("a2"), pod("a3", false, "digits-1", Instant.EPOCH))))
                .isEmpty();
    }

    @Test
    void replicasOfSeveralRevisionsAreLeftOut() {
        assertThat(crowding(Stream.of(ready("a1"), ready("a2"), pod("a3", true, "digits-2", Instant.EPOCH))))
                .isEmpty();
    }

    @Test
    void nodesAreAlikeByCapacityAndTaints() {
        assertThat(Crowding.alike(List.of(
                        node("a", "spot", "knabla.dev/spot", "NoSchedule"),
                        node("b", "spot", "knabla.dev/spot", "NoSchedule"),
                        node("c", "spot", "example.org/ours", "NoSchedule"),
                        node("d", "on-demand", "knabla.dev/spot", "NoSchedule"),
                        node("e", "on-demand", "any", "PreferNoSchedule"),
                        node("f", "on-demand", "other", "PreferNoSchedule"))))
                .containsExactlyInAnyOrder(Set.of("a", "b"), Set.of("c"), Set.of("d"), Set.of("e", "f"));
    }

    private static Node node(String name, String capacity, String taint, String effect) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of("karpenter.sh/capacity-type", capacity))
                .endMetadata()
                .withNewSpec()
                .addNewTaint(effect, taint, null, null)
                .endSpec()
                .build();
    }
}
