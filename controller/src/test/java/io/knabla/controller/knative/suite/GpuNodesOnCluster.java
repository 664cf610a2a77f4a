package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Functions on GPUs as nodes offer them: whole, shared in time, parted by MIG, without a device plugin, by claims. The
 * nodes are KWOK's, so no replica has to answer, and the image is nowhere.
 */
@ExtendWith(Kwok.class)
@Order(SuiteOrder.CHANGES_PLATFORM)
@ResourceLock(SuiteOrder.PLATFORM)
@TestMethodOrder(OrderAnnotation.class)
class GpuNodesOnCluster {
    private static final String SAMPLE = "add-sub";
    private static final String SHARE_RESOURCE = "KNABLA_CLUSTER_GPU_SHARE_RESOURCE";
    private static final String GPU_IMAGE = "KNABLA_CLUSTER_GPU_IMAGE";
    private static final String MIG = "nvidia.com/mig-1g.10gb";
    private static final String SYSTEM = "knabla-system";
    private static final int SHARES = 4;
    private static final BigDecimal ROUNDING = new BigDecimal("0.01");

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    private static final String MARK = UUID.randomUUID().toString().substring(0, 6);
    private static final String SHARED = "shared-" + MARK;
    private static final String PARTED = "parted-" + MARK;

    /** GPUs of other nodes cost more for what they compute. */
    private static final Map<String, String> CHEAP = Map.of(
            FakeNodes.CAPACITY,
            "on-demand",
            PricedNodes.INSTANCE_TYPE,
            "g4dn.xlarge",
            "topology.kubernetes.io/region",
            "us-east-1");

    private static final Instant BEGAN = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static FakeNodes nodes;
    private static Functions functions;

    @BeforeAll
    static void start() throws IOException {
        nodes = new FakeNodes(cluster);
        functions = new Functions(cluster, cluster.namespace("gpus"));
        FunctionNamespace.apply(cluster, functions.namespace());
        platform.set(GPU_IMAGE, TestCluster.registry() + "/knabla/replica-gpu:nowhere");
        platform.upload(SAMPLE);
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all").good();
        nodes.close();
        platform.change(GPU_IMAGE + "-", SHARE_RESOURCE + "-");
    }

    @Test
    @Order(1)
    void aShareIsPlacedOnlyWhereNodesOfferIt() throws IOException {
        nodes.add(
                SHARED,
                Map.of(
                        FakeNodes.CAPACITY,
                        "on-demand",
                        "nvidia.com/gpu.replicas",
                        Integer.toString(SHARES),
                        "nvidia.com/gpu.sharing-strategy",
                        "time-slicing"),
                4,
                SHARES);

        apply("quarters", 0.25, SHARES);
        functions.awaitReady("quarters");
        await().untilAsserted(() -> areOn("quarters", SHARED, SHARES));

        apply("half", 0.5, 1);
        functions.awaitCondition("half", "Placed", "False", "Unschedulable", "nvidia.com/gpu.replicas=2");
        functions.awaitCondition("half", "Placed", "False", "Unschedulable", "write spec.resources.gpu: 1");
        delete("half");
    }

    @Test
    @Order(2)
    void aFullPoolIsNamedAndTheLedgerCountsItsShares() throws IOException {
        apply("late", 0.25, 1);

        functions.awaitCondition("late", "Placed", "False", "Unschedulable", "no node that it may use has enough free");
        await().untilAsserted(() -> hasGpuSeconds("quarters", "0.25"));
        delete("late");
        delete("quarters");
    }

    /** From a rate on that somebody forecasts, for a model with enough to compute. */
    @Test
    @Order(3)
    void theCheaperPoolIsChosen(@TempDir Path folder) throws IOException {
        nodes.add("cheap-" + MARK, CHEAP, 4, 1);
        Path model = Onnx.save(convolutions(), folder.resolve("model.onnx"));
        ObjectNode document = functions.forCommandLine(SAMPLE);
        document.withObject("metadata").put("name", "open");
        document.withObject("spec")
                .put("model", model.toString())
                .withObject("scaling")
                .put("min", 1)
                .put("max", 1);
        Path file = Files.writeString(folder.resolve("function.yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "--rate", "5000/s").good();
        functions.awaitCondition(
                "open", "Placed", "True", "Placed", "at 1.0 calls a second CPU nodes cost less; a GPU node");
        functions.awaitColumns("open", Map.of("POOL", "cpu"));

        document.withObject("spec").put("model", Functions.digest(model)).put("timeout", "20s");
        functions.apply(document);

        functions.awaitCondition(
                "open", "Placed", "True", "Placed", "a GPU node (g4dn.xlarge, T4) costs less than CPU nodes from ");
        functions.awaitCondition("open", "Placed", "True", "Placed", "that rate was forecast");
        functions.awaitColumns("open", Map.of("POOL", "gpu"));
        delete("open");
    }

    /** About 2 billion operations and 150 KB of weights. */
    private static ModelProto convolutions() {
        int layers = 8;
        var model = new Onnx()
                .input("h0", ElementType.FLOAT, "batch", 64, 56, 56)
                .output("h" + layers, ElementType.FLOAT, "batch", 64, 56, 56)
                .weights("w", 64, 64, 3, 3);
        for (int layer = 0; layer < layers; layer++) {
            model.node("Conv", List.of("h" + layer, "w"), "h" + (layer + 1), Onnx.ints("pads", 1, 1, 1, 1));
        }
        return model.build();
    }

    /** The controller that runs goes on: the new one does not become ready. */
    @Test
    @Order(4)
    void claimsOfDraAreRefused() {
        cluster.kubectl(
                        "-n",
                        SYSTEM,
                        "set",
                        "env",
                        "deployment/knabla-controller",
                        SHARE_RESOURCE + "=gpu.example/claim")
                .good();

        await().untilAsserted(() -> assertThat(
                        cluster.kubectl("-n", SYSTEM, "logs", "-l", "app.kubernetes.io/name=knabla-controller")
                                .out())
                .contains("Claims and device classes of DRA cannot be used"));
    }

    /** Without the device plugin nothing offers the parts. */
    @Test
    @Order(5)
    void aPartThatMigMakesIsAShareOfItsOwn() throws IOException {
        platform.set(SHARE_RESOURCE, MIG);
        apply("slice", 0.125, 1);
        functions.awaitCondition("slice", "Placed", "False", "Unschedulable", "no node that it may use offers " + MIG);
        functions.awaitCondition("slice", "Placed", "False", "Unschedulable", "add a GPU node with its device plugin");

        nodes.addGpus(PARTED, Map.of(FakeNodes.CAPACITY, "on-demand"), MIG, 7);

        functions.awaitReady("slice");
        await().untilAsserted(() -> areOn("slice", PARTED, 1));
        await().untilAsserted(() -> hasGpuSeconds("slice", "0.142857"));
    }

    private static void hasGpuSeconds(String function, String share) throws IOException {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        JsonNode row = PrintedCosts.ofFunction(platform, BEGAN, now, functions.namespace() + "/" + function);
        BigDecimal seconds = row.get("replicaSeconds").decimalValue();
        assertThat(seconds).isPositive();
        assertThat(row.at("/requested/gpuSeconds").decimalValue())
                .isCloseTo(seconds.multiply(new BigDecimal(share)), within(ROUNDING));
    }

    private static void apply(String name, double gpus, int replicas) throws IOException {
        ObjectNode document = functions.forKubectl(SAMPLE);
        document.withObject("metadata").put("name", name);
        ObjectNode spec = document.withObject("spec");
        spec.putObject("resources").put("cpu", "20m").put("memory", "128Mi").put("gpu", gpus);
        spec.withObject("scaling").put("min", replicas).put("max", replicas);
        functions.apply(document);
    }

    private static void areOn(String function, String node, int replicas) {
        assertThat(functions.pods(function))
                .hasSize(replicas)
                .allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo(node));
    }

    private static void delete(String name) {
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", name).good();
    }
}
