package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.knative.serving.v1.Revision;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a person does with functions on a cluster, from nothing: installs, deploys, calls, changes, deletes. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Order(SuiteOrder.COMPUTES)
class FunctionsOnCluster {
    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    private static final int MOST_STALLS = 2;

    @TempDir
    Path folder;

    private static Functions functions;

    @BeforeAll
    static void makeNamespace() throws IOException {
        functions = new Functions(cluster, cluster.namespace("suite"));
        FunctionNamespace.apply(cluster, functions.namespace());
    }

    private JsonNode deploy(String sample) throws IOException {
        return deploy(functions.forCommandLine(sample));
    }

    private JsonNode deploy(ObjectNode document) throws IOException {
        return deploy(Files.writeString(folder.resolve("deploy.yaml"), document.toString()));
    }

    private JsonNode deploy(Path file) throws IOException {
        Ran ran = platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace(), "-o", "json");
        return Functions.JSON.readTree(ran.good().out());
    }

    @Test
    @Order(2)
    void picturesAndBinaryTensorsAreAnswered() throws IOException {
        deploy("digits");
        JsonNode seen = invoke("digits", "digits/images/07-3.png");
        double[] logits = Functions.numbers(Functions.output(seen, "logits"));
        int largest = IntStream.range(0, logits.length)
                .reduce((a, b) -> logits[a] >= logits[b] ? a : b)
                .orElseThrow();
        assertThat(largest).isEqualTo(3);

        deploy("add-sub");
        assertThat(BinarySums.of(functions))
                .containsExactly(IntStream.rangeClosed(1, 16).toArray());
        delete("digits");
        String namespace = functions.namespace();
        platform.knablaByServer("delete", "add-sub", "-n", namespace).good();
        assertThat(functions.get("add-sub"))
                .satisfiesAnyOf(
                        gone -> assertThat(gone).isNull(),
                        going -> assertThat(going.getMetadata().getDeletionTimestamp())
                                .isNotNull());
    }

    private static JsonNode invoke(String name, String input) throws IOException {
        String file = Functions.SAMPLES.resolve(input).toString();
        String namespace = functions.namespace();
        Ran ran = platform.knabla("invoke", name, "--input", file, "-n", namespace, "-o", "json");
        return Functions.JSON.readTree(ran.good().out());
    }

    @Test
    @Order(3)
    void sleepsWithoutPodsAndWakesOnACall() throws IOException {
        deploy(idleSoon(functions.forCommandLine("add-sub")));
        HttpResponse<byte[]> woken = wokenFromNoPod();
        for (int again = 0; again < MOST_STALLS && saysWarm(woken); again++) {
            woken = wokenFromNoPod();
        }
        HttpResponse<byte[]> following = functions.answersAsExpected("add-sub");

        await().untilAsserted(() -> assertThat(functions.pods("add-sub")).hasSize(1));
        assertThat(woken.headers().firstValue("Knabla-Start")).hasValue("cold");
        assertThat(woken.headers().firstValue("Server-Timing").orElseThrow())
                .matches(
                        "queue;dur=[0-9.]+, place;dur=\\d+, fetch;dur=\\d+, boot;dur=\\d+, load;dur=\\d+, infer;dur=[0-9.]+");
        assertThat(following.headers().firstValue("Knabla-Start")).isNotEqualTo(Optional.of("cold"));
        assertThat(following.headers().firstValue("Server-Timing").orElseThrow())
                .matches("queue;dur=[0-9.]+, infer;dur=[0-9.]+");
        await().untilAsserted(FunctionsOnCluster::commandLineShowsAWarmStart);
        delete("add-sub");
    }

    private static HttpResponse<byte[]> wokenFromNoPod() throws IOException {
        await().untilAsserted(() -> assertThat(functions.pods("add-sub")).isEmpty());
        functions.awaitReady("add-sub");
        long began = System.nanoTime();
        HttpResponse<byte[]> woken = functions.answersAsExpected("add-sub");
        System.out.printf(
                "cluster test: woken from no pod in %.2f s, %s%n",
                (System.nanoTime() - began) / 1e9,
                woken.headers().firstValue("Server-Timing").orElseThrow());
        return woken;
    }

    /** What waited for a start comes to the replica within 1.5 s of its load, but on a cluster that stalls. */
    private static boolean saysWarm(HttpResponse<byte[]> woken) {
        return woken.headers().firstValue("Knabla-Start").equals(Optional.of("warm"));
    }

    private static void commandLineShowsAWarmStart() throws IOException {
        JsonNode own = invoke("add-sub", "add-sub/request.json").path("knabla");
        assertThat(own.path("start").asText()).isEqualTo("warm");
        assertThat(own.path("phases").properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder("queue", "infer");
    }

    @Test
    @Order(4)
    void updatesSplitsAndReturns() throws IOException {
        ObjectNode document = functions.forKubectl("add-sub");
        functions.apply(document);
        functions.awaitReady("add-sub");
        document.withObject("spec").withObject("scaling").put("concurrency", 8);
        functions.apply(document);
        assertThat(functions.awaitReady("add-sub").getStatus().latestVersion()).isEqualTo(2);
        await().untilAsserted(() -> assertThat(versionsOf(10)).containsOnlyKeys("2"));

        platform.knabla("traffic", "add-sub", "1=50", "2=50", "-n", functions.namespace())
                .good();
        await().untilAsserted(() -> assertThat(versionsOf(10)).containsOnlyKeys("1", "2"));
        Map<String, Integer> shares = versionsOf(100);
        // 100 fair coins: fewer than 20 heads come once in a billion runs.
        assertThat(shares.get("1")).as(shares.toString()).isBetween(20, 80);

        platform.knabla("rollback", "add-sub", "--to", "1", "-n", functions.namespace())
                .good();
        await().untilAsserted(() -> assertThat(versionsOf(10)).containsOnlyKeys("1"));

        document.withObject("spec")
                .putArray("traffic")
                .addObject()
                .put("version", 2)
                .put("percent", 100);
        functions.apply(document);
        await().untilAsserted(() -> assertThat(versionsOf(10)).containsOnlyKeys("2"));
        delete("add-sub");
    }

    /** How many of so many calls each version answered. */
    private static Map<String, Integer> versionsOf(int calls) throws IOException {
        var counts = new TreeMap<String, Integer>();
        for (int i = 0; i < calls; i++) {
            HttpResponse<byte[]> answer = functions.infer("add-sub", "add-sub");
            Functions.json(answer);
            counts.merge(answer.headers().firstValue("Knabla-Version").orElseThrow(), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    @Order(5)
    void boundsReachTheLiveRevisionAndRestartNothing() throws IOException {
        ObjectNode document = idleSoon(functions.forKubectl("add-sub"));
        functions.apply(document);
        functions.awaitReady("add-sub");
        Functions.json(functions.infer("add-sub", "add-sub"));
        List<Revision> before = revisions();
        // Knative's activator calls a pod that it found ready itself, before the cluster says so.
        await().untilAsserted(() -> assertThat(uids()).isNotEmpty());
        var pods = new TreeSet<>(uids());

        document.withObject("spec").withObject("scaling").put("min", 2).put("max", 3);
        functions.apply(document);
        await().untilAsserted(() -> assertThat(ready()).hasSize(2));

        assertThat(uids()).as("a pod that was there is still there").containsAnyElementsOf(pods);
        assertThat(names(revisions())).isEqualTo(names(before));
        assertThat(functions.awaitReady("add-sub").getStatus().latestVersion()).isEqualTo(1);

        document.withObject("spec").withObject("scaling").put("min", 0);
        functions.apply(document);
        await().untilAsserted(() -> assertThat(functions.pods("add-sub")).isEmpty());
        assertThat(names(revisions())).isEqualTo(names(before));
        delete("add-sub");
    }

    private static List<String> uids() {
        return ready().stream().map(pod -> pod.getMetadata().getUid()).toList();
    }

    private static List<Pod> ready() {
        return functions.pods("add-sub").stream()
                .filter(io.fabric8.kubernetes.client.readiness.Readiness::isPodReady)
                .toList();
    }

    private static List<Revision> revisions() {
        return cluster.client()
                .resources(Revision.class)
                .inNamespace(functions.namespace())
                .list()
                .getItems();
    }

    private static List<String> names(List<Revision> revisions) {
        return revisions.stream()
                .map(revision -> revision.getMetadata().getName())
                .toList();
    }

    /** With Knative's features on, as the platform was installed. */
    @Test
    @Order(5)
    void aRunningReplicaIsWhatItsTemplateSays() throws IOException {
        ObjectNode document = functions.forKubectl("add-sub");
        document.withObject("spec").put("timeout", "40s").withObject("scaling").put("min", 1);
        functions.apply(document);
        functions.awaitReady("add-sub");
        await().untilAsserted(() -> assertThat(ready()).hasSize(1));

        var pod = new PodPromises(ready().getFirst());
        pod.isPlacedOnDemandAndSpreadOverZones();
        pod.canDoNoHarm();
        pod.endsWithinSpotsNotice(40);
        pod.isProbedByQueueProxy();
        delete("add-sub");
    }

    /** As short as Knative's autoscaler allows. */
    private static ObjectNode idleSoon(ObjectNode document) {
        document.withObject("spec").withObject("scaling").put("idleAfter", "6s");
        document.withObject("spec").putObject("keepWarm").put("policy", "Never");
        return document;
    }

    private static void delete(String... names) {
        Stream<String> arguments =
                Stream.concat(Stream.of("-n", functions.namespace(), "delete", "fn"), Arrays.stream(names));
        cluster.kubectl(arguments.toArray(String[]::new)).good();
    }

    @Test
    @Order(6)
    void whatIsWrongIsToldByTheApiServerOrByACondition() throws IOException {
        ObjectNode wrong = functions.forKubectl("add-sub");
        wrong.withObject("spec").put("timeout", "soon").put("models", "add-sub.onnx");
        Ran refused = cluster.apply(wrong.toString());
        assertThat(refused.status()).isNotZero();
        assertThat(refused.err()).contains("spec.models");

        ObjectNode unknown = functions.forKubectl("add-sub");
        unknown.withObject("spec").put("model", "sha256:" + "0".repeat(64));
        Path file = Files.writeString(folder.resolve("function.yaml"), unknown.toString());
        Ran deploy = platform.knabla("deploy", "-f", file.toString(), "--wait", "120");
        assertThat(deploy.status()).isEqualTo(1);
        assertThat(deploy.err()).contains("ModelMissing");
        delete("add-sub");
    }

    @Test
    @Order(6)
    void whoMayEditANamespaceAndUseTheControllerNeedsNoOtherRight() throws IOException {
        var own = new Functions(cluster, cluster.namespace("developer"));
        Developer developer = Developer.of(cluster, own.namespace(), folder);
        assertThat(platform.knablaFor(developer, "list").err()).contains("Role knabla-user");

        developer.mayUseTheController();
        Path file = folder.resolve("function.yaml");
        Files.writeString(file, own.forCommandLine("add-sub").toString());
        String request = Functions.SAMPLES.resolve("add-sub/request.json").toString();
        platform.knablaFor(developer, "deploy", "-f", file.toString()).good();

        await().untilAsserted(() -> assertThat(platform.knablaFor(developer, "list", "-o", "name")
                        .good()
                        .out())
                .contains("add-sub"));
        assertThat(platform.knablaFor(developer, "invoke", "add-sub", "--input", request)
                        .good()
                        .out())
                .contains("OUTPUT0");
        platform.knablaFor(developer, "logs", "add-sub").good();
        assertThat(own.image()).contains("/knabla/replica@sha256:");
        platform.knablaFor(developer, "delete", "add-sub").good();
    }

    /** Last, when the controller has done all that it ever does: also what is asked of it by its API. */
    @Test
    @Order(Integer.MAX_VALUE)
    void theControllerMayDoWhatItDidAndNothingElse() throws IOException {
        ControllerRights rights = platform.rights();

        rights.areUsedAndEnough(platform.installed());
        rights.endSomewhere();
    }

    /** In a process of its own, whose caches were trained where the image was made. */
    @Test
    @Order(6)
    void usageIsAskedInSql() throws IOException {
        Ran ran = platform.knabla("cost", "sql", "select count(*) as n from prices", "-o", "json");

        assertThat(Functions.JSON.readTree(ran.good().out()).at("/rows/0/0").asLong())
                .isPositive();
    }

    /** Once for all of the above: Knative's pods take half a minute to end. */
    @Test
    @Order(7)
    void whatWasDeletedLeavesNothing() {
        await().untilAsserted(() -> assertThat(functions.everything()).isEmpty());
        await().untilAsserted(() -> assertThat(platform.knabla("list", "-n", functions.namespace(), "-o", "name")
                        .good()
                        .out())
                .isBlank());
    }
}
