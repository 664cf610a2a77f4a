package io.knabla.controller.cluster.suite;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Nodes that are only in the API, as a cloud would have them: KWOK keeps them ready and says of the pods
 * there that they run. Their taints keep off all that must really run.
 */
final class FakeNodes implements AutoCloseable {
    static final String CAPACITY = "karpenter.sh/capacity-type";
    static final String GPU = "nvidia.com/gpu";

    private final TestCluster cluster;
    private final List<String> names = new ArrayList<>();

    FakeNodes(TestCluster cluster) {
        this.cluster = cluster;
    }

    void spot(String name, int cpus) {
        add(node(name, "spot", cpus).build());
    }

    void spotGpu(String name) {
        add(withGpu(node(name, "spot", 4)));
    }

    void onDemandGpu(String name) {
        add(withGpu(node(name, "on-demand", 4)));
    }

    private static NodeBuilder node(String name, String capacity, int cpus) {
        var builder =
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withAnnotations(Map.of("kwok.x-k8s.io/node", "fake"))
                        .withLabels(
                                Map.of(
                                        CAPACITY,
                                        capacity,
                                        "kubernetes.io/hostname",
                                        name,
                                        "kubernetes.io/os",
                                        "linux",
                                        "kubernetes.io/arch",
                                        "amd64"))
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .withNewStatus()
                        .withAllocatable(resources(cpus))
                        .withCapacity(resources(cpus))
                        .endStatus();
        return capacity.equals("spot") ? tainted(builder, CAPACITY, "spot") : builder;
    }

    private static Map<String, Quantity> resources(int cpus) {
        return Map.of(
                "cpu",
                new Quantity(Integer.toString(cpus)),
                "memory",
                new Quantity("32Gi"),
                "pods",
                new Quantity("110"));
    }

    private static NodeBuilder tainted(NodeBuilder node, String key, String value) {
        return node.editSpec()
                .addNewTaint()
                .withKey(key)
                .withValue(value)
                .withEffect("NoSchedule")
                .endTaint()
                .endSpec();
    }

    private static Node withGpu(NodeBuilder node) {
        return tainted(node, GPU, "true")
                .editStatus()
                .addToAllocatable(GPU, new Quantity("1"))
                .addToCapacity(GPU, new Quantity("1"))
                .endStatus()
                .build();
    }

    private void add(Node node) {
        String name = node.getMetadata().getName();
        names.add(name);
        cluster.client().resource(node).create();
        TestCluster.await()
                .untilAsserted(
                        () -> {
                            if (!Readiness.isNodeReady(find(name))) {
                                throw new AssertionError(
                                        "node %s does not become ready: KWOK has to run (shared/testcluster/fake-nodes starts it; elsewhere see https://kwok.sigs.k8s.io)"
                                                .formatted(name));
                            }
                        });
    }

    Node find(String name) {
        return cluster.client().nodes().withName(name).get();
    }

    void delete(String name) {
        cluster.client().nodes().withName(name).delete();
    }

    @Override
    public void close() {
        names.forEach(this::delete);
    }
}
