package io.knabla.controller.knative.manifest;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.knative.internal.autoscaling.v1alpha1.PodAutoscaler;
import io.fabric8.knative.serving.v1.Configuration;
import io.fabric8.knative.serving.v1.ConfigurationBuilder;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.knative.serving.v1.Route;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.knative.capacity.CapacitySlot;
import io.knabla.controller.knative.capacity.ClusterNode;
import io.knabla.controller.knative.suite.FakeNodes;
import io.knabla.controller.knative.suite.Ingress;
import io.knabla.controller.knative.suite.Kwok;
import io.knabla.controller.knative.suite.SuiteOrder;
import io.knabla.controller.knative.suite.TestCluster;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Tests the assumptions of {@link KnativeModel} on a real Knative. The pods' image is {@code hello:1} of the registry,
 * which answers every path with its revision's name.
 */
@Order(SuiteOrder.CHANGES_PLATFORM)
@ResourceLock(SuiteOrder.PLATFORM)
class RevisionsOnCluster {
    private static final String BOUND = "autoscaling.knative.dev/";

    @RegisterExtension
    static final TestCluster cluster = new TestCluster();

    private static final Specs SMALL = Specs.inference()
            .resources(new Resources(Optional.of(20L), Optional.of(64L << 20), 0))
            .placement(Pool.cpu, Capacity.OnDemand, 0);

    private LiveFunction world;

    @BeforeEach
    void createFunction() {
        world = new LiveFunction(cluster.client(), cluster.namespace("pods"));
    }

    /** Changing scale bounds must create no revision and restart no pod. */
    @Test
    void copiesScaleBoundsToAutoscalerWithoutRestart() {
        Specs warm = SMALL.scaling(1, 3, 4, Duration.ofMinutes(1));
        world.deploy(warm).settle();
        String revision = world.only(Revision.class);
        Set<String> pods = world.uids(Pod.class);
        Set<String> sets = world.uids(ReplicaSet.class);
        assertThat(pods).hasSize(1);

        world.rescale(SMALL.scaling(2, 7, 4, Duration.ofMinutes(11))).settle();

        await().untilAsserted(() -> assertThat(
                        world.get(PodAutoscaler.class, revision).getMetadata().getAnnotations())
                .containsEntry(BOUND + "min-scale", "2")
                .containsEntry(BOUND + "max-scale", "7")
                .containsEntry(BOUND + "initial-scale", "1")
                .containsEntry(BOUND + "window", "60s")
                .containsEntry(BOUND + "scale-to-zero-pod-retention-period", "600s"));
        await().untilAsserted(() -> assertThat(world.uids(Pod.class)).hasSize(2).containsAll(pods));
        assertThat(world.uids(ReplicaSet.class)).isEqualTo(sets);
        assertThat(world.only(Revision.class)).isEqualTo(revision);

        world.rescale(SMALL.scaling(0, 7, 4, Duration.ofSeconds(6))).settle();
        await().untilAsserted(() -> assertThat(world.list(Pod.class)).isEmpty());
        assertThat(world.uids(ReplicaSet.class)).isEqualTo(sets);
    }

    @Test
    void splitsRollsBackAndDeletesObsoleteRevision() {
        world.deploy(SMALL).settle();
        String first = world.only(Revision.class);
        world.deploy(SMALL)
                .traffic(new TrafficTarget(1, 50), new TrafficTarget(2, 50))
                .settle();
        assertThat(world.served().values()).containsExactlyInAnyOrder(50, 50);
        try (var ingress = new Ingress()) {
            String url = world.get(Route.class, "digits").getStatus().getUrl();
            await().untilAsserted(() -> assertThat(answer(ingress, url)).startsWith(first));
            await().untilAsserted(() -> assertThat(answer(ingress, url)).contains("-v2-"));

            world.traffic(new TrafficTarget(1, 100)).settle();
            await().untilAsserted(() -> assertThat(answer(ingress, url)).startsWith(first));

            world.traffic().settle();
            world.forget(0).settle();
            await().untilAsserted(() -> assertThat(world.only(Revision.class)).contains("-v2-"));
            await().untilAsserted(() -> assertThat(answer(ingress, url)).contains("-v2-"));
        }
    }

    /** Because of this rule of Knative's webhook a template is written only once. */
    @Test
    void rejectsChangedTemplateWithSameName() {
        world.deploy(SMALL).settle();
        Configuration there = world.get(Configuration.class, "digits-cpu-on-demand");
        Configuration changed = new ConfigurationBuilder(there)
                .editSpec()
                .editTemplate()
                .editMetadata()
                .addToAnnotations(BOUND + "min-scale", "3")
                .endMetadata()
                .endTemplate()
                .endSpec()
                .build();

        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> cluster.client().resource(changed).update())
                .withMessageContaining("without a name change");
    }

    /** Uses the labels and taints of Karpenter and EKS. */
    @Test
    @ExtendWith(Kwok.class)
    void schedulesPodsOnNodesOfTheirSlot() {
        String mark = UUID.randomUUID().toString().substring(0, 6);
        try (var nodes = new FakeNodes(cluster)) {
            nodes.add("spot-" + mark, Map.of("karpenter.sh/capacity-type", "spot"), 4, 0);
            nodes.add("eks-" + mark, Map.of("eks.amazonaws.com/capacityType", "SPOT"), 4, 1);
            nodes.add("gpu-" + mark, Map.of("karpenter.sh/capacity-type", "on-demand"), 4, 1);
            Map<String, Set<String>> expected = Map.of(
                    "cpu-spot", like("spot-" + mark),
                    "gpu-spot", like("eks-" + mark),
                    "gpu-on-demand", like("gpu-" + mark));

            expected.forEach(this::isPlacedOn);
        }
    }

    /** Names of all nodes with the same slot as this node, itself included. */
    private static Set<String> like(String name) {
        List<Node> all = cluster.client().nodes().list().getItems();
        CapacitySlot slot = slot(cluster.client().nodes().withName(name).get());
        return all.stream()
                .filter(node -> slot(node).equals(slot))
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static CapacitySlot slot(Node node) {
        var known = ClusterNode.of(node);
        return new CapacitySlot(known.pool(), known.capacityType());
    }

    private void isPlacedOn(String slot, Set<String> nodes) {
        var own = new LiveFunction(cluster.client(), cluster.namespace("pods"));
        boolean gpu = slot.startsWith("gpu");
        own.deploy(SMALL.resources(new Resources(Optional.of(20L), Optional.of(64L << 20), gpu ? 1 : 0))
                        .placement(Pool.auto, slot.endsWith("spot") ? Capacity.Spot : Capacity.OnDemand, 0))
                .step();

        await().untilAsserted(() -> assertThat(own.list(Pod.class))
                .isNotEmpty()
                .allMatch(pod -> nodes.contains(pod.getSpec().getNodeName())));
    }

    private static String answer(Ingress ingress, String url) {
        return new String(ingress.get(url + "/").body(), UTF_8);
    }
}
