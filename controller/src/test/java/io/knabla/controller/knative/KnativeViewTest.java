package io.knabla.controller.knative;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.knative.resource.Labels;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.functions.spec.FunctionSpec.Pool;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The view on Fabric8's mock server: lists and watches; the cluster suite tests real pods. */
@EnableKubernetesMockClient(https = false, crud = true)
class KnativeViewTest {
    KubernetesClient client;
    private KnativeView view;

    @AfterEach
    void close() {
        if (view != null) {
            view.close();
        }
    }

    @Test
    void onlyPodsOfFunctionsAreReplicas() {
        client.resource(pod("a", "digits", "2").build()).create();
        client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("other")
                        .withNamespace("shop")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        view = KnativeView.open(client, List.of());
        await().until(view::hasSynced);

        assertThat(view.replicas()).singleElement().satisfies(replica -> {
            assertThat(replica.id()).isEqualTo("a");
            assertThat(replica.function()).isEqualTo(new FunctionId("shop", "digits"));
            assertThat(replica.version()).isEqualTo(2);
            assertThat(replica.state()).isEqualTo(State.STARTING);
        });
        assertThat(view.pods(new FunctionId("shop", "digits"))).hasSize(1);
        assertThat(view.pods(new FunctionId("other", "digits"))).isEmpty();
    }

    @Test
    void watchesOnlyItsOwnNamespaces() {
        client.resource(pod("a", "digits", "1").build()).create();
        client.resource(pod("b", "digits", "1")
                        .editMetadata()
                        .withNamespace("theirs")
                        .endMetadata()
                        .build())
                .create();
        view = KnativeView.open(client, List.of("shop"));
        await().until(view::hasSynced);

        assertThat(view.replicas()).extracting(Replica::id).containsExactly("a");
    }

    @Test
    void notifiesListenersOfEachStateOnceAndOfTheEnd() {
        view = KnativeView.open(client, List.of("shop"));
        Queue<State> heard = new ConcurrentLinkedQueue<>();
        view.onChange(replica -> heard.add(replica.state()));
        await().until(view::hasSynced);

        Pod pod = client.resource(pod("a", "digits", "1").build()).create();
        await().until(() -> heard.contains(State.STARTING));
        ready(pod);
        await().until(() -> heard.contains(State.READY));
        client.resource(pod).delete();
        await().until(() -> heard.contains(State.STOPPED));

        assertThat(heard).containsExactly(State.STARTING, State.READY, State.STOPPED);
    }

    private void ready(Pod pod) {
        client.resource(pod)
                .editStatus(it -> new PodBuilder(it)
                        .editOrNewStatus()
                        .withPodIP("10.1.2.3")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
    }

    @Test
    void aPoolThatKarpenterBringsNeedsNoNode() {
        view = KnativeView.open(client, List.of());
        await().until(() -> view.hasSynced() && view.nodePools().isPresent());
        assertThat(view.canHave(Pool.gpu)).isFalse();

        client.resource(Karpenter.definition("v1")).create();
        Karpenter.createNodePool(client, "{metadata: {labels: {knabla.dev/pool: gpu}}, spec: {}}");

        await().until(() -> view.canHave(Pool.gpu));
        assertThat(view.canHave(Pool.cpu)).isFalse();
    }

    @Test
    void readsPoolCapacityTypeAndZoneFromTheLabelsOfAnyProvider() {
        node("plain", Map.of(), Map.of("pods", new Quantity("110")));
        node(
                "karpenter",
                Map.of(
                        "karpenter.sh/capacity-type", "spot",
                        "node.kubernetes.io/instance-type", "m7i.large",
                        "topology.kubernetes.io/zone", "eu-central-1a"),
                Map.of("pods", new Quantity("29")));
        node(
                "eks-gpu",
                Map.of("eks.amazonaws.com/capacityType", "SPOT"),
                Map.of("pods", new Quantity("10"), "nvidia.com/gpu", new Quantity("1")));
        node("shared", Map.of(), Map.of("nvidia.com/gpu.shared", new Quantity("4")));
        node("mig", Map.of(), Map.of("nvidia.com/gpu", new Quantity("0"), "nvidia.com/mig-1g.10gb", new Quantity("7")));
        node("plugin-is-gone", Map.of("nvidia.com/gpu.present", "true"), Map.of("nvidia.com/gpu", new Quantity("0")));
        node(
                "said-so",
                Map.of("knabla.dev/pool", "cpu", "karpenter.sh/capacity-type", "on-demand"),
                Map.of("nvidia.com/gpu", new Quantity("1")));
        view = KnativeView.open(client, List.of());
        await().until(view::hasSynced);

        assertThat(view.nodes())
                .containsExactlyInAnyOrder(
                        new Node("plain", Pool.cpu, CapacityType.OnDemand, "unknown", "unknown", 110),
                        new Node("karpenter", Pool.cpu, CapacityType.Spot, "m7i.large", "eu-central-1a", 29),
                        new Node("eks-gpu", Pool.gpu, CapacityType.Spot, "unknown", "unknown", 10),
                        new Node("shared", Pool.gpu, CapacityType.OnDemand, "unknown", "unknown", 0),
                        new Node("mig", Pool.gpu, CapacityType.OnDemand, "unknown", "unknown", 0),
                        new Node("plugin-is-gone", Pool.cpu, CapacityType.OnDemand, "unknown", "unknown", 0),
                        new Node("said-so", Pool.cpu, CapacityType.OnDemand, "unknown", "unknown", 0));
    }

    private void node(String name, Map<String, String> labels, Map<String, Quantity> allocatable) {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .withNewStatus()
                        .withAllocatable(allocatable)
                        .endStatus()
                        .build())
                .create();
    }

    private static PodBuilder pod(String name, String function, String version) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("shop")
                .addToLabels(Labels.FUNCTION, function)
                .addToLabels(Labels.VERSION, version)
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-1")
                .endSpec();
    }
}
