package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.knabla.controller.knative.suite.SteadyCalls.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes back two real spot nodes of an installed platform in turn, under load through Knative's data path: by the taint
 * of an interruption warning, by a drain, and without a word; the last also with Kubernetes and Knative alone.
 */
@Order(SuiteOrder.WAITS_FOR_NODES)
@EnabledIfEnvironmentVariable(named = SpotNode.COMMAND, matches = ".+", disabledReason = "no command adds real nodes")
class InterruptionsOnCluster {
    private static final String FUNCTION = "add-sub";

    /** In all, besides the losses with Kubernetes and Knative alone, which are a third as many. */
    private static final int INTERRUPTIONS =
            Integer.parseInt(System.getenv().getOrDefault("KNABLA_TEST_INTERRUPTIONS", "3"));

    /** A call to a node that has vanished would hang for ever. */
    private static final Duration HANGS = Duration.ofSeconds(3);

    /** An answer that comes late on a busy machine is no request that was lost. */
    private static final Duration LOST = Duration.ofSeconds(30);

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @TempDir
    Path folder;

    private static List<SpotNode> nodes = List.of();
    private static List<String> fakes = List.of();
    private Functions functions;
    private int drills;

    /** Real machines take half a minute each, so tests share them. */
    @BeforeAll
    static void addNodes() {
        fakes = cluster.client().nodes().list().getItems().stream()
                .filter(node -> node.getMetadata().getAnnotations().containsKey(FakeNodes.FAKE))
                .map(node -> node.getMetadata().getName())
                .toList();
        fakes.forEach(node -> cluster.kubectl("cordon", node).good());
        nodes = List.of(new SpotNode(cluster, "spot-1"), new SpotNode(cluster, "spot-2"));
    }

    @AfterAll
    static void removeNodes() {
        nodes.forEach(SpotNode::close);
        fakes.forEach(node -> cluster.kubectl("uncordon", node));
    }

    @BeforeEach
    void start() throws IOException {
        functions = new Functions(cluster, cluster.namespace("interrupted"));
        FunctionNamespace.apply(cluster, functions.namespace());
        nodes.forEach(SpotNode::restore);
    }

    @AfterEach
    void stop() {
        cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all").good();
    }

    @Test
    void interruptionsFailNoRequestAndLostNodesFew() throws IOException {
        int each = INTERRUPTIONS / 3;
        Count tainted = Count.NONE;
        Count drained = Count.NONE;
        Count lost = Count.NONE;
        deploy(function(FUNCTION, "Spot"));
        for (int i = 0; i < each; i++) {
            tainted = tainted.plus(drill("taint", SpotNode::taint, LOST));
            drained = drained.plus(drill("drain", SpotNode::drain, LOST));
            lost = lost.plus(drill("loss", SpotNode::kill, HANGS));
        }
        functions.awaitEvents(FUNCTION, "ReplicaMoved");
        Count alone = Count.NONE;
        platform.set("KNABLA_SPOT_ACT", "false");
        try {
            for (int i = 0; i < each; i++) {
                alone = alone.plus(drill("loss, Kubernetes alone", SpotNode::kill, HANGS));
            }
        } finally {
            platform.unset("KNABLA_SPOT_ACT");
        }

        System.out.printf(
                "interruption test: failed requests of %d interruptions each: taint %s, drain %s, loss %s, loss with Kubernetes and Knative alone %s%n",
                each, tainted, drained, lost, alone);
        assertThat(tainted.failed()).as("failed by a taint").isZero();
        assertThat(drained.failed()).as("failed by a drain").isZero();
        assertThat(2 * lost.failed()).as("failed by a loss, twice").isLessThan(alone.failed());
    }

    /** No spot node is left, so all requests go to on-demand capacity; when there is one again, half of them return. */
    @Test
    void withoutSpotNodesOnDemandCapacityServes() throws IOException {
        platform.set("KNABLA_SPOT_BLOCK", "10s");
        try {
            ObjectNode mixed = function("mixed", "Mixed");
            mixed.withObject("spec").withObject("placement").put("onDemandBase", 1);
            deploy(mixed);
            await().until(() -> onSpot("mixed") == 1 && replicas("mixed").size() == 2);
            SteadyCalls calls = calls("mixed", LOST);
            try (calls) {
                await().until(() -> calls.count().sent() > 30);
                nodes.forEach(SpotNode::taint);
                await().until(() -> onSpot("mixed") == 0 && replicas("mixed").size() == 2);
                nodes.forEach(SpotNode::untaint);
                await().until(() -> onSpot("mixed") == 1);
            }
            System.out.printf("interruption test: no spot node and back: failed %s%n", calls.count());
            assertThat(calls.failures()).isEmpty();
        } finally {
            platform.unset("KNABLA_SPOT_BLOCK");
        }
    }

    /** A drain waits until another replica serves: on the other spot node, then on demand. */
    @Test
    void drainsOfTheOnlyReplicaFailNoRequest() throws IOException {
        ObjectNode single = function("single", "Mixed");
        single.withObject("spec").withObject("scaling").put("min", 1).put("max", 2);
        deploy(single);
        await().until(() -> onSpot("single") == 1 && replicas("single").size() == 1);
        SteadyCalls calls = calls("single", LOST);
        try (calls) {
            await().until(() -> calls.count().sent() > 30);
            drainOnlyReplica("single");
            await().until(() -> onSpot("single") == 1 && replicas("single").size() == 1);
            drainOnlyReplica("single");
            await().until(() -> onSpot("single") == 0 && !replicas("single").isEmpty());
            int sent = calls.count().sent();
            await().until(() -> calls.count().sent() > sent + 30);
        }
        System.out.printf("interruption test: drains of the only replica: failed %s%n", calls.count());
        assertThat(calls.failures()).isEmpty();
    }

    /** A replica that ends finishes the texts that it has begun, and gets no others. */
    @Test
    void aDrainBreaksNoStream() throws IOException {
        ObjectNode writer = TextFunction.document(functions.namespace(), folder.resolve("model"));
        ObjectNode spec = writer.withObject("spec");
        spec.putObject("resources").put("cpu", "50m");
        spec.putObject("placement").put("capacity", "Spot");
        spec.putObject("scaling").put("min", 2).put("max", 2);
        deploy(writer);
        await().until(() ->
                onSpot(TextFunction.NAME) == 2 && replicas(TextFunction.NAME).size() == 2);
        try (var function = new TextFunction(functions)) {
            var texts = new SteadyTexts(function, 4);
            try (texts) {
                await().until(() -> texts.whole() > 4);
                SpotNode drained = nodes.stream()
                        .filter(node -> nodesOf(replicas(TextFunction.NAME)).contains(node.name()))
                        .findFirst()
                        .orElseThrow();
                drained.drain();
                await().until(() -> replicas(TextFunction.NAME).size() == 2
                        && !nodesOf(replicas(TextFunction.NAME)).contains(drained.name()));
                int whole = texts.whole();
                await().until(() -> texts.whole() > whole + 4);
            }
            System.out.printf(
                    "interruption test: streams through a drain: broken %d of %d%n",
                    texts.broken().size(), texts.broken().size() + texts.whole());
            assertThat(texts.broken()).isEmpty();
        }
    }

    /** Each spot node has room for one replica. Without the one, half of the requests go to on-demand capacity. */
    @Test
    void aMissingSpotReplicaIsCoveredOnDemand() throws IOException {
        ObjectNode pair = function("pair", "Mixed");
        pair.withObject("spec").withObject("resources").put("cpu", "600m");
        deploy(pair);
        await().until(() -> onSpot("pair") == 2 && replicas("pair").size() == 2);
        SteadyCalls calls = calls("pair", LOST);
        try (calls) {
            await().until(() -> calls.count().sent() > 30);
            nodes.getFirst().taint();
            await().until(() -> onSpot("pair") == 1 && replicas("pair").size() == 2);
            await().until(() -> causes().contains("REPLACEMENT"));
            nodes.getFirst().untaint();
            await().until(() -> onSpot("pair") == 2 && replicas("pair").size() == 2);
        }
        System.out.printf("interruption test: a missing replica and back: failed %s%n", calls.count());
        assertThat(calls.failures()).isEmpty();
    }

    @Test
    void spotHedgeKeepsOneReplicaMoreThanTheLoadNeeds() throws IOException {
        ObjectNode hedged = function("hedged", "Mixed");
        hedged.withObject("spec").withObject("placement").put("policy", "SpotHedge");
        hedged.withObject("spec").withObject("scaling").put("min", 1).put("max", 3);
        deploy(hedged);
        await().until(() -> onSpot("hedged") == 2);
        functions.awaitCondition("hedged", "Placed", "True", "Placed", "policy SpotHedge runs 1 more");
        await().until(() -> causes().contains("HEDGE"));
    }

    /** Both replicas are on one node after a drain, and on two a while after the other node takes replicas again. */
    @Test
    void replicasOnOneNodeAreSpreadAgain() throws IOException {
        ObjectNode crowded = function("crowded", "Spot");
        crowded.withObject("spec").withObject("scaling").put("max", 3).put("idleAfter", "6s");
        deploy(crowded);
        SpotNode emptied = nodes.getFirst();
        emptied.drain();
        await().until(() ->
                replicas("crowded").size() == 2 && nodesOf(replicas("crowded")).size() == 1);
        functions.awaitCondition("crowded", "Placed", "True", "Placed", "none of 2 replicas is left");
        SteadyCalls calls = calls("crowded", LOST);
        try (calls) {
            emptied.uncordon();
            await().until(() -> replicas("crowded").size() == 2
                    && nodesOf(replicas("crowded")).size() == 2);
        }
        System.out.printf("interruption test: spread again: failed %s%n", calls.count());
        assertThat(calls.failures()).isEmpty();
        functions.awaitEvents("crowded", "ReplicasSpread");
    }

    @Test
    void aRightThatIsMissingIsToldUntilItIsGranted() throws IOException {
        deploy(function(FUNCTION, "Spot"));
        ClusterRole granted = role().get();
        role().edit(InterruptionsOnCluster::withoutReadingNodes);
        try {
            functions.awaitCondition(FUNCTION, "InterruptionsHandled", "False", "CallRefused", "may not get nodes");
            functions.awaitEvents(FUNCTION, "CallRefused");
            assertThat(platform.knabla("doctor").out()).contains("may not get nodes");
        } finally {
            role().edit(role ->
                    new ClusterRoleBuilder(role).withRules(granted.getRules()).build());
        }
        functions.awaitCondition(FUNCTION, "InterruptionsHandled", "True", "CallAllowed", "");
    }

    private static Resource<ClusterRole> role() {
        return cluster.client().rbac().clusterRoles().withName("knabla-controller");
    }

    private static ClusterRole withoutReadingNodes(ClusterRole role) {
        role.getRules().stream()
                .filter(rule -> rule.getResources().contains("nodes"))
                .forEach(rule -> rule.setVerbs(rule.getVerbs().stream()
                        .filter(verb -> !verb.equals("get"))
                        .toList()));
        return role;
    }

    /** Why the replicas are where they are. */
    private static List<String> causes() throws IOException {
        return platform.get("/api/v1/replicas").findValuesAsText("cause");
    }

    private void deploy(ObjectNode document) throws IOException {
        Path file = Files.writeString(folder.resolve("deploy.yaml"), document.toString());
        platform.knabla("deploy", "-f", file.toString(), "-n", functions.namespace())
                .good();
    }

    private void drainOnlyReplica(String function) {
        Set<String> used = nodesOf(replicas(function));
        nodes.stream().filter(node -> used.contains(node.name())).forEach(SpotNode::drain);
    }

    private long onSpot(String function) {
        Set<String> spot = nodes.stream().map(SpotNode::name).collect(Collectors.toSet());
        return replicas(function).stream()
                .filter(pod -> spot.contains(pod.getSpec().getNodeName()))
                .count();
    }

    private ObjectNode function(String name, String capacity) {
        ObjectNode document = functions.forCommandLine(FUNCTION);
        document.withObject("metadata").put("name", name);
        ObjectNode spec = document.withObject("spec");
        spec.withObject("resources").put("cpu", "50m");
        spec.withObject("placement").put("capacity", capacity);
        spec.withObject("scaling").put("min", 2).put("max", 2);
        spec.put("timeout", "10s");
        return document;
    }

    /** Takes back a node with one of two replicas, and counts requests until both run elsewhere. */
    private Count drill(String kind, Consumer<SpotNode> interruption, Duration timeout) throws IOException {
        spread();
        SpotNode victim = nodes.get(drills++ % nodes.size());
        long began = System.nanoTime();
        SteadyCalls calls = calls(FUNCTION, timeout);
        try (calls) {
            await().until(() -> calls.count().sent() > 30);
            assertThat(calls.failures()).as("failed before the interruption").isEmpty();
            interruption.accept(victim);
            await().until(() -> replicas(FUNCTION).size() == 2
                    && !nodesOf(replicas(FUNCTION)).contains(victim.name()));
            victim.kill();
            int sent = calls.count().sent();
            await().until(() -> calls.count().sent() > sent + 30);
        }
        Count count = calls.count();
        System.out.printf(
                "interruption test: %s of %s: failed %s in %.0f s%n",
                kind, victim.name(), count, (System.nanoTime() - began) / 1e9);
        calls.failures().forEach(failure -> System.out.printf("interruption test: %s: %s%n", kind, failure));
        victim.replace();
        return count;
    }

    private SteadyCalls calls(String function, Duration timeout) throws IOException {
        byte[] body = Files.readAllBytes(Functions.SAMPLES.resolve(FUNCTION).resolve("request.json"));
        String url = functions.get(function).getStatus().url() + "/v2/models/" + function + "/infer";
        return new SteadyCalls(url, body, timeout);
    }

    /** One replica on each node; one that is being deleted is still ready for a while. */
    private void spread() {
        await().pollInterval(Duration.ofSeconds(5)).until(() -> {
            List<Pod> ready = replicas(FUNCTION).stream()
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .toList();
            Set<String> used = nodesOf(ready);
            if (ready.size() == 2 && used.size() == 1) {
                cluster.client().resource(ready.getFirst()).delete();
            }
            return ready.size() == 2 && used.size() == 2;
        });
    }

    private List<Pod> replicas(String function) {
        return functions.pods(function).stream().filter(Readiness::isPodReady).toList();
    }

    private static Set<String> nodesOf(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getSpec().getNodeName()).collect(Collectors.toSet());
    }
}
