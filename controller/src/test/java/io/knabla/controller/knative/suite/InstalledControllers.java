package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.knabla.controller.home.StoreAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Two pods of the installed controller with an empty store, so that they record the nodes of one test alone; one pod
 * with its usual store again when it is closed.
 */
final class InstalledControllers implements AutoCloseable {
    private static final String NAMESPACE = "knabla-system";
    private static final String NAME = "app.kubernetes.io/name";
    private static final String LEASE = "knabla-operator";
    private static final int PORT = 8080;

    /** In the bucket of the overlay's store. */
    private static final String BUCKET = "s3://knabla/";

    private static final String STORE = "KNABLA_STORE";

    private final TestCluster cluster;
    private final InstalledPlatform platform;
    private final String location = BUCKET + "usage-" + UUID.randomUUID();

    InstalledControllers(TestCluster cluster, InstalledPlatform platform) throws IOException {
        this.cluster = cluster;
        this.platform = platform;
        platform.set(STORE, location);
        scale(2);
    }

    private void scale(int pods) {
        cluster.kubectl("-n", NAMESPACE, "scale", "deployment/knabla-controller", "--replicas=" + pods)
                .good();
        await().untilAsserted(() -> assertThat(ready()).hasSize(pods));
    }

    private List<String> ready() {
        return cluster
                .client()
                .pods()
                .inNamespace(NAMESPACE)
                .withLabel(NAME, "knabla-controller")
                .list()
                .getItems()
                .stream()
                .filter(pod -> !pod.isMarkedForDeletion())
                .filter(Readiness::isPodReady)
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    /** Waits until each has heard of the node: afterwards nothing of Kubernetes tells why it ended. */
    void awaitAllKnow(String node) {
        await().untilAsserted(() -> assertThat(ready())
                .hasSize(2)
                .allSatisfy(pod -> assertThat(nodesOf(pod)).contains(node)));
    }

    private String nodesOf(String pod) throws IOException {
        try (LocalPortForward door = open(pod)) {
            return given().header(
                            "Authorization", "Bearer " + secret("knabla-token").get("token"))
                    .get("http://127.0.0.1:%d/api/v1/nodes".formatted(door.getLocalPort()))
                    .asString();
        }
    }

    /** Kills the pod that leads, as the end of its node would. */
    void killLeader() {
        String leader = leader();
        cluster.kubectl("-n", NAMESPACE, "delete", "pod", leader, "--grace-period=0", "--force")
                .good();
    }

    /** The name of a pod is the beginning of its identity. */
    private String leader() {
        String holder = cluster.client()
                .leases()
                .inNamespace(NAMESPACE)
                .withName(LEASE)
                .get()
                .getSpec()
                .getHolderIdentity();
        return ready().stream().filter(holder::startsWith).findFirst().orElseThrow();
    }

    /** Gives access to what they record, through a forwarded port, until the port is closed. */
    StoreAccess store(LocalPortForward port) {
        Map<String, String> environment = new HashMap<>(secret("knabla-store"));
        environment.put("KNABLA_S3_ENDPOINT", "http://127.0.0.1:" + port.getLocalPort());
        environment.put("AWS_REGION", "us-east-1");
        return new StoreAccess(location, environment);
    }

    LocalPortForward openStore() throws UnknownHostException {
        Pod store = cluster.client()
                .pods()
                .inNamespace(NAMESPACE)
                .withLabel(NAME, "knabla-s3")
                .list()
                .getItems()
                .getFirst();
        return open(store.getMetadata().getName());
    }

    private LocalPortForward open(String pod) throws UnknownHostException {
        PodResource resource = cluster.client().pods().inNamespace(NAMESPACE).withName(pod);
        return resource.portForward(PORT, InetAddress.getLoopbackAddress(), 0);
    }

    private Map<String, String> secret(String name) {
        return cluster.client().secrets().inNamespace(NAMESPACE).withName(name).get().getData().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new String(Base64.getDecoder().decode(entry.getValue()), StandardCharsets.UTF_8)));
    }

    @Override
    public void close() throws IOException {
        scale(1);
        platform.unset(STORE);
    }
}
