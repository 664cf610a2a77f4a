package io.knabla.controller.knative.suite;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.knabla.controller.machine.Architecture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes that are only in the API, as a cloud would have them: KWOK keeps them ready and says of the pods there that
 * they run. Their taints keep off all that must really run.
 */
public final class FakeNodes implements AutoCloseable {
    static final String CAPACITY = "karpenter.sh/capacity-type";
    static final String GPU = "nvidia.com/gpu";

    /** The annotation that has KWOK keep a node. */
    static final String FAKE = "kwok.x-k8s.io/node";

    private final TestCluster cluster;
    private final List<String> names = new ArrayList<>();

    public FakeNodes(TestCluster cluster) {
        this.cluster = cluster;
    }

    void spot(String name, int cpus) {
        add(name, Map.of(CAPACITY, "spot"), cpus, 0);
    }

    void spotGpu(String name) {
        add(name, Map.of(CAPACITY, "spot"), 4, 1);
    }

    void onDemandGpu(String name) {
        add(name, Map.of(CAPACITY, "on-demand"), 4, 1);
    }

    /** A node with these labels, each of them a taint too where it speaks of spot; GPUs are one as well. */
    public void add(String name, Map<String, String> labels, int cpus, int gpus) {
        create(name, labels, cpus, gpus);
        TestCluster.await().until(() -> isReady(name));
    }

    /** The same with GPUs, or parts of them, that have this resource name. */
    void addGpus(String name, Map<String, String> labels, String resource, int gpus) {
        create(name, labels, 4, Map.of(resource, gpus));
        TestCluster.await().until(() -> isReady(name));
    }

    void create(String name, Map<String, String> labels, int cpus, int gpus) {
        create(name, labels, cpus, gpus > 0 ? Map.of(GPU, gpus) : Map.of());
    }

    private void create(String name, Map<String, String> labels, int cpus, Map<String, Integer> gpus) {
        names.add(name);
        cluster.client().resource(node(name, labels, cpus, gpus)).create();
    }

    boolean isReady(String name) {
        return Readiness.isNodeReady(find(name));
    }

    private static Node node(String name, Map<String, String> labels, int cpus, Map<String, Integer> gpus) {
        Map<String, Quantity> has = new HashMap<>(Map.of(
                "cpu", new Quantity(Integer.toString(cpus)),
                "memory", new Quantity("32Gi"),
                "pods", new Quantity("110")));
        List<Taint> taints = new ArrayList<>();
        labels.forEach((key, value) -> {
            if (value.equalsIgnoreCase("spot")) {
                taints.add(new Taint("NoSchedule", key, null, value));
            }
        });
        gpus.forEach((resource, count) -> has.put(resource, new Quantity(Integer.toString(count))));
        if (!gpus.isEmpty()) {
            taints.add(new Taint("NoSchedule", GPU, null, "true"));
        }
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withAnnotations(Map.of(FAKE, "fake"))
                .withLabels(labels)
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels(Architecture.ofThisProcess().labels())
                .endMetadata()
                .withNewSpec()
                .withTaints(taints)
                .endSpec()
                .withNewStatus()
                .withCapacity(has)
                .withAllocatable(has)
                .endStatus()
                .build();
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
