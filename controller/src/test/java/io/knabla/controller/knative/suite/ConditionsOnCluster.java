package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Where functions are placed, and what is said of those that cannot be or that fail. The pools are KWOK's, so no
 * replica has to answer, and their image is nowhere.
 */
@ExtendWith(Kwok.class)
@Order(SuiteOrder.CHANGES_PLATFORM)
@ResourceLock(SuiteOrder.PLATFORM)
class ConditionsOnCluster {
    private static final String SAMPLE = "add-sub";

    /** More than any other node has, so that a test knows where its replica goes. */
    private static final int LARGE = 100;

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    private static final String IMAGE = "KNABLA_CLUSTER_IMAGE";
    private static final String GPU_IMAGE = "KNABLA_CLUSTER_GPU_IMAGE";
    private static final String MARK = UUID.randomUUID().toString().substring(0, 6);
    private static FakeNodes nodes;
    private static Functions functions;

    @BeforeAll
    static void start() throws IOException {
        nodes = new FakeNodes(cluster);
        nodes.spot("spot-" + MARK, 8);
        nodes.spotGpu("spot-gpu-" + MARK);
        nodes.onDemandGpu("gpu-" + MARK);
        functions = new Functions(cluster, cluster.namespace("conditions"));
        FunctionNamespace.apply(cluster, functions.namespace());
        String revoked = TestCluster.registry() + "/knabla/replica:revoked";
        platform.change(IMAGE + "=" + revoked, GPU_IMAGE + "=" + revoked);
        platform.upload(SAMPLE);
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all").good();
        nodes.close();
        platform.change(IMAGE + "=" + PushedReplica.image(), GPU_IMAGE + "-");
    }

    @Test
    void eachFunctionIsPlacedOnItsPoolAndCapacity() throws IOException {
        apply("on-spot", "Spot", 0, "20m");
        apply("on-spot-gpu", "Spot", 1, "20m");
        apply("on-gpu", "OnDemand", 1, "20m");

        functions.awaitReady("on-spot");
        functions.awaitReady("on-spot-gpu");
        functions.awaitReady("on-gpu");

        await().untilAsserted(ConditionsOnCluster::eachIsWhereItBelongs);
        functions.awaitColumns("on-spot", Map.of("POOL", "cpu", "SPOT", "1", "ON-DEMAND", "0"));
        functions.awaitColumns("on-gpu", Map.of("POOL", "gpu", "SPOT", "0", "ON-DEMAND", "1"));
        delete("on-spot", "on-spot-gpu", "on-gpu");
    }

    /** A pod may be one too many for a moment, and on no node yet. */
    private static void eachIsWhereItBelongs() {
        assertThat(capacityOf("on-spot")).isEqualTo("spot");
        assertThat(capacityOf("on-spot-gpu")).isEqualTo("spot");
        assertThat(capacityOf("on-gpu")).isEqualTo("on-demand");
        assertThat(gpusOf("on-spot")).isZero();
        assertThat(gpusOf("on-spot-gpu")).isEqualTo(1);
        assertThat(gpusOf("on-gpu")).isEqualTo(1);
    }

    @Test
    void aNodeThatGoesTakesItsReplicaAlongUntilAnotherComes() throws IOException {
        nodes.spot("large-" + MARK, LARGE);
        apply("drifting", "Spot", 0, "50");
        functions.awaitReady("drifting");
        await().untilAsserted(() ->
                assertThat(nodeOf("drifting").getMetadata().getName()).isEqualTo("large-" + MARK));

        nodes.delete("large-" + MARK);

        functions.awaitCondition("drifting", "Ready", "False", "NodeGone", "large-" + MARK);
        functions.awaitCondition("drifting", "Placed", "False", "Unschedulable", "it asks for 50.");
        functions.awaitColumns("drifting", Map.of("READY", "False", "SPOT", "0"));
        functions.awaitEvents("drifting", "NodeGone", "Unschedulable");

        nodes.spot("large-" + MARK, LARGE);
        functions.awaitReady("drifting");
        functions.awaitColumns("drifting", Map.of("SPOT", "1"));
        delete("drifting");
    }

    @Test
    void whatNoNodeOffersIsNamed() throws IOException {
        apply("greedy", "OnDemand", 9, "20m");

        functions.awaitCondition("greedy", "Placed", "False", "Unschedulable", "it asks for 9 " + FakeNodes.GPU);
        functions.awaitCondition("greedy", "Ready", "False", "Unschedulable", "spec.resources.gpu");
        delete("greedy");
    }

    @Test
    void anImageThatIsGoneIsNamedWithTheCommandThatPushesIt() throws IOException {
        apply("revoked", "OnDemand", 0, "20m");

        functions.awaitCondition("revoked", "Ready", "False", "ImagePullBackOff", "./knabla images --push");
        functions.awaitEvents("revoked", "ImagePullBackOff");
        delete("revoked");
    }

    @Test
    void aQuotaThatIsUsedUpIsNamed() throws IOException {
        var quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("nothing")
                .withNamespace(functions.namespace())
                .endMetadata()
                .withNewSpec()
                .withHard(Map.of("requests." + FakeNodes.GPU, new Quantity("0")))
                .endSpec()
                .build();
        cluster.client().resource(quota).create();
        try {
            apply("over", "Spot", 1, "20m");

            functions.awaitCondition("over", "Placed", "False", "QuotaExceeded", "kubectl edit resourcequota nothing");
            functions.awaitEvents("over", "QuotaExceeded");
            delete("over");
        } finally {
            cluster.client().resource(quota).delete();
        }
    }

    private static void apply(String name, String capacity, int gpus, String cpu) throws IOException {
        ObjectNode document = functions.forKubectl(SAMPLE);
        document.withObject("metadata").put("name", name);
        ObjectNode spec = document.withObject("spec");
        spec.putObject("resources").put("cpu", cpu).put("memory", "128Mi").put("gpu", gpus);
        spec.putObject("placement").put("capacity", capacity);
        spec.withObject("scaling").put("min", 1).put("max", 2);
        functions.apply(document);
    }

    private static Node nodeOf(String name) {
        Pod pod = functions.pods(name).getFirst();
        return nodes.find(pod.getSpec().getNodeName());
    }

    private static String capacityOf(String name) {
        return nodeOf(name).getMetadata().getLabels().get(FakeNodes.CAPACITY);
    }

    private static int gpusOf(String name) {
        Quantity gpus = nodeOf(name).getStatus().getAllocatable().get(FakeNodes.GPU);
        return gpus == null ? 0 : Integer.parseInt(gpus.getAmount());
    }

    private static void delete(String... names) {
        for (String name : names) {
            cluster.kubectl("-n", functions.namespace(), "delete", "fn", name).good();
        }
    }
}
