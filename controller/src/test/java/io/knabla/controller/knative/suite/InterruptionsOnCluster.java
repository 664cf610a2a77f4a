package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What becomes of replicas and calls when real spot nodes are drained or tainted, and come back. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = SuiteOrder.PLATFORM, mode = ResourceAccessMode.READ)
@ResourceLock(SuiteOrder.SPOT_NODES)
@EnabledIfEnvironmentVariable(named = SpotNode.COMMAND, matches = ".+", disabledReason = "no command adds real nodes")
class InterruptionsOnCluster {
    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @RegisterExtension
    @Order(3)
    static final SpotNodes nodes = SpotNodes.shared(cluster);

    @TempDir
    Path folder;

    private FunctionsOnSpot spot;

    @BeforeEach
    void start() throws IOException {
        spot = new FunctionsOnSpot(cluster, platform, nodes, folder);
    }

    @AfterEach
    void stop() {
        spot.close();
    }

    /** A drain waits until another replica serves: on the other spot node, then on demand. */
    @Test
    void drainsOfTheOnlyReplicaFailNoRequest() throws IOException {
        ObjectNode single = spot.document("single", "Mixed");
        single.withObject("spec").withObject("scaling").put("min", 1).put("max", 2);
        spot.deploy(single);
        await().until(() -> spot.onSpot("single") == 1 && spot.ready("single").size() == 1);
        SteadyCalls calls = spot.calls("single");
        try (calls) {
            await().until(() -> calls.count().sent() > 30);
            drainNodesOf("single");
            await().until(() ->
                    spot.onSpot("single") == 1 && spot.ready("single").size() == 1);
            drainNodesOf("single");
            await().until(() ->
                    spot.onSpot("single") == 0 && !spot.ready("single").isEmpty());
            int sent = calls.count().sent();
            await().until(() -> calls.count().sent() > sent + 30);
        }
        System.out.printf("interruption test: drains of the only replica: failed %s%n", calls.count());
        assertThat(calls.failures()).isEmpty();
    }

    private void drainNodesOf(String function) {
        nodes.among(spot.nodesOf(function)).forEach(SpotNode::drain);
    }

    /** A replica that ends finishes the texts that it has begun, and gets no others. */
    @Test
    void aDrainBreaksNoStream() throws IOException {
        ObjectNode writer = TextFunction.document(spot.functions().namespace(), folder.resolve("model"));
        ObjectNode spec = writer.withObject("spec");
        spec.putObject("resources").put("cpu", "50m");
        spec.putObject("placement").put("capacity", "Spot");
        spec.putObject("scaling").put("min", 2).put("max", 2);
        spot.deploy(writer);
        String name = TextFunction.NAME;
        await().until(() -> spot.onSpot(name) == 2 && spot.ready(name).size() == 2);
        try (var function = new TextFunction(spot.functions())) {
            var texts = new SteadyTexts(function, 4);
            try (texts) {
                await().until(() -> texts.whole() > 4);
                SpotNode drained = nodes.among(spot.nodesOf(name)).findFirst().orElseThrow();
                drained.drain();
                await().until(() ->
                        spot.ready(name).size() == 2 && !spot.nodesOf(name).contains(drained.name()));
                int whole = texts.whole();
                await().until(() -> texts.whole() > whole + 4);
            }
            System.out.printf(
                    "interruption test: streams through a drain: broken %d of %d%n",
                    texts.broken().size(), texts.broken().size() + texts.whole());
            assertThat(texts.broken()).isEmpty();
        }
    }

    /**
     * Each spot node has memory for one replica, the node on demand for many. Without the one, half of the requests go
     * to on-demand capacity.
     */
    @Test
    void aMissingSpotReplicaIsCoveredOnDemand() throws IOException {
        ObjectNode pair = spot.document("pair", "Mixed");
        pair.withObject("spec").withObject("resources").put("memory", "1200Mi");
        spot.deploy(pair);
        await().until(() -> spot.onSpot("pair") == 2 && spot.ready("pair").size() == 2);
        SteadyCalls calls = spot.calls("pair");
        try (calls) {
            await().until(() -> calls.count().sent() > 30);
            nodes.first().taint();
            await().until(() -> spot.onSpot("pair") == 1 && spot.ready("pair").size() == 2);
            await().until(() -> spot.causes().contains("REPLACEMENT"));
            nodes.first().untaint();
            await().until(() -> spot.onSpot("pair") == 2 && spot.ready("pair").size() == 2);
        }
        System.out.printf("interruption test: a missing replica and back: failed %s%n", calls.count());
        assertThat(calls.failures()).isEmpty();
    }

    @Test
    void spotHedgeKeepsOneReplicaMoreThanTheLoadNeeds() throws IOException {
        ObjectNode hedged = spot.document("hedged", "Mixed");
        hedged.withObject("spec").withObject("placement").put("policy", "SpotHedge");
        hedged.withObject("spec").withObject("scaling").put("min", 1).put("max", 3);
        spot.deploy(hedged);
        await().until(() -> spot.onSpot("hedged") == 2);
        spot.functions().awaitCondition("hedged", "Placed", "True", "Placed", "policy SpotHedge runs 1 more");
        await().until(() -> spot.causes().contains("HEDGE"));
    }

    /** Both replicas are on one node after a drain, and on two a while after the other node takes replicas again. */
    @Test
    void replicasOnOneNodeAreSpreadAgain() throws IOException {
        ObjectNode crowded = spot.document("crowded", "Spot");
        crowded.withObject("spec").withObject("scaling").put("max", 3).put("idleAfter", "6s");
        spot.deploy(crowded);
        SpotNode emptied = nodes.first();
        emptied.drain();
        await().until(() ->
                spot.ready("crowded").size() == 2 && spot.nodesOf("crowded").size() == 1);
        spot.functions().awaitCondition("crowded", "Placed", "True", "Placed", "none of 2 replicas is left");
        SteadyCalls calls = spot.calls("crowded");
        try (calls) {
            emptied.uncordon();
            await().until(() ->
                    spot.ready("crowded").size() == 2 && spot.nodesOf("crowded").size() == 2);
        }
        System.out.printf("interruption test: spread again: failed %s%n", calls.count());
        assertThat(calls.failures()).isEmpty();
        spot.functions().awaitEvents("crowded", "ReplicasSpread");
    }
}
