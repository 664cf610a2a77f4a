package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Functions of one test on real spot nodes: deployed by the command line, called all the time, found on their nodes.
 */
final class FunctionsOnSpot implements AutoCloseable {
    static final String SAMPLE = "add-sub";

    /**
     * An answer that comes late on a busy machine is no request that was lost: of those, Knative's activator tells
     * after {@code spec.timeout}.
     */
    private static final Duration LOST = Duration.ofSeconds(30);

    private final TestCluster cluster;
    private final InstalledPlatform platform;
    private final SpotNodes nodes;
    private final Path folder;
    private final Functions functions;

    /** @param folder for files, of the test alone */
    FunctionsOnSpot(TestCluster cluster, InstalledPlatform platform, SpotNodes nodes, Path folder) throws IOException {
        this.cluster = cluster;
        this.platform = platform;
        this.nodes = nodes;
        this.folder = folder;
        this.functions = new Functions(cluster, cluster.namespace("interrupted"));
        FunctionNamespace.apply(cluster, functions.namespace());
    }

    Functions functions() {
        return functions;
    }

    /** The sample with two replicas of this capacity. */
    ObjectNode document(String name, String capacity) {
        ObjectNode document = functions.forCommandLine(SAMPLE);
        document.withObject("metadata").put("name", name);
        ObjectNode spec = document.withObject("spec");
        spec.withObject("resources").put("cpu", "50m");
        spec.withObject("placement").put("capacity", capacity);
        spec.withObject("scaling").put("min", 2).put("max", 2);
        spec.put("timeout", "10s");
        return document;
    }

    void deploy(ObjectNode document) throws IOException {
        Path file = Files.writeString(folder.resolve("deploy.yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace())
                .good();
    }

    SteadyCalls calls(String function) throws IOException {
        byte[] body = Files.readAllBytes(Functions.SAMPLES.resolve(SAMPLE).resolve("request.json"));
        String url = functions.get(function).getStatus().url() + "/v2/models/" + function + "/infer";
        return new SteadyCalls(url, body, LOST);
    }

    List<Pod> ready(String function) {
        return functions.pods(function).stream().filter(Readiness::isPodReady).toList();
    }

    long onSpot(String function) {
        return ready(function).stream()
                .filter(pod -> nodes.include(pod.getSpec().getNodeName()))
                .count();
    }

    /** Names of the nodes of ready replicas. */
    Set<String> nodesOf(String function) {
        return nodesOf(ready(function));
    }

    /** One replica on each node; one that is being deleted is still ready for a while. */
    void spread(String function) {
        await().pollInterval(Duration.ofSeconds(5)).until(() -> {
            List<Pod> staying = ready(function).stream()
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .toList();
            Set<String> used = nodesOf(staying);
            if (staying.size() == 2 && used.size() == 1) {
                cluster.client().resource(staying.getFirst()).delete();
            }
            return staying.size() == 2 && used.size() == 2;
        });
    }

    private static Set<String> nodesOf(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getSpec().getNodeName()).collect(Collectors.toSet());
    }

    /** Why replicas are where they are. */
    List<String> causes() throws IOException {
        return platform.get("/api/v1/replicas").findValuesAsText("cause");
    }

    @Override
    public void close() {
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all").good();
    }
}
