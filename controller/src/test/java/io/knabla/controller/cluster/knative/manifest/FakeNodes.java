package io.knabla.controller.cluster.knative.manifest;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.knabla.controller.cluster.knative.ClusterNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Nodes that exist in the API alone. KWOK keeps them where it runs; else they last for half a minute. */
final class FakeNodes implements AutoCloseable {
    private final KubernetesClient client;
    private final List<String> names = new ArrayList<>();

    FakeNodes(KubernetesClient client) {
        this.client = client;
    }

    /** A node with these labels, each of them a taint too where it speaks of spot. */
    String add(Map<String, String> labels, int gpus) {
        String name = "fake-pods-" + UUID.randomUUID().toString().substring(0, 6);
        List<Taint> taints = new ArrayList<>();
        labels.forEach(
                (key, value) -> {
                    if (value.equalsIgnoreCase("spot")) {
                        taints.add(new Taint("NoSchedule", key, null, value));
                    }
                });
        Map<String, Quantity> has =
                new HashMap<>(
                        Map.of(
                                "cpu", new Quantity("4"),
                                "memory", new Quantity("8Gi"),
                                "pods", new Quantity("20")));
        if (gpus > 0) {
            has.put(ClusterNode.GPU, new Quantity(Integer.toString(gpus)));
            taints.add(new Taint("NoSchedule", ClusterNode.GPU, null, "true"));
        }
        Node node =
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .addToLabels("kubernetes.io/hostname", name)
                        .addToLabels("kubernetes.io/os", "linux")
                        .addToAnnotations("kwok.x-k8s.io/node", "fake")
                        .endMetadata()
                        .withNewSpec()
                        .withTaints(taints)
                        .endSpec()
                        .withNewStatus()
                        .withCapacity(has)
                        .withAllocatable(has)
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build();
        names.add(name);
        client.resource(node).create();
        client.resource(node).patchStatus();
        return name;
    }

    /** This and all that the cluster has besides of the same slot. */
    Set<String> like(String name) {
        List<Node> all = client.nodes().list().getItems();
        Slot slot =
                slot(
                        all.stream()
                                .filter(node -> node.getMetadata().getName().equals(name))
                                .findFirst()
                                .orElseThrow());
        return all.stream()
                .filter(node -> slot(node).equals(slot))
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static Slot slot(Node node) {
        var known = ClusterNode.of(node);
        return new Slot(known.pool(), known.capacityType());
    }

    @Override
    public void close() {
        names.forEach(name -> client.nodes().withName(name).delete());
    }
}
