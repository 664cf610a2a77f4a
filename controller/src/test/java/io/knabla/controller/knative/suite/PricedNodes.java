package io.knabla.controller.knative.suite;

import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.List;

/** Labels real nodes that do not say what machines they are, so that they have a price, until it is closed. */
final class PricedNodes implements AutoCloseable {
    static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";
    static final String USD_PER_HOUR = "0.1008";
    private static final List<String> LABELS =
            List.of(INSTANCE_TYPE + "=m7i.large", "topology.kubernetes.io/region=us-east-1");

    private final TestCluster cluster;
    private final List<String> names;

    PricedNodes(TestCluster cluster) {
        this.cluster = cluster;
        this.names = cluster.client().nodes().list().getItems().stream()
                .filter(PricedNodes::saysNotWhatItIs)
                .map(node -> node.getMetadata().getName())
                .toList();
        label(LABELS);
    }

    /** Of the nodes that it has labelled. */
    List<String> names() {
        return names;
    }

    private static boolean saysNotWhatItIs(Node node) {
        var metadata = node.getMetadata();
        return !metadata.getAnnotations().containsKey(FakeNodes.FAKE)
                && !metadata.getLabels().containsKey(INSTANCE_TYPE);
    }

    private void label(List<String> labels) {
        names.forEach(node -> {
            List<String> command = new ArrayList<>(List.of("label", "node", node));
            command.addAll(labels);
            cluster.kubectl(command.toArray(String[]::new)).good();
        });
    }

    @Override
    public void close() {
        label(LABELS.stream().map(label -> label.replaceAll("=.*", "-")).toList());
    }
}
