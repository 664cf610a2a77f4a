package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.knabla.controller.knative.suite.SteadyCalls.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Takes back two real spot nodes in turn, under load through Knative's data path: by the taint of an interruption
 * warning, by a drain, and without a word; the last also with Kubernetes and Knative alone. Its tests change the
 * installed controller's settings and rights.
 */
@Order(SuiteOrder.DRILLS)
@ResourceLock(SuiteOrder.PLATFORM)
@ResourceLock(SuiteOrder.SPOT_NODES)
@EnabledIfEnvironmentVariable(named = SpotNode.COMMAND, matches = ".+", disabledReason = "no command adds real nodes")
class InterruptionDrillsOnCluster {
    private static final String FUNCTION = FunctionsOnSpot.SAMPLE;

    /** In all, besides the losses with Kubernetes and Knative alone, which are a third as many. */
    private static final int INTERRUPTIONS =
            Integer.parseInt(System.getenv().getOrDefault("KNABLA_TEST_INTERRUPTIONS", "3"));

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @RegisterExtension
    @Order(3)
    static final SpotNodes nodes = SpotNodes.untilTheEndOfTheClass(cluster);

    @TempDir
    Path folder;

    private FunctionsOnSpot spot;
    private int drills;

    @BeforeEach
    void start() throws IOException {
        spot = new FunctionsOnSpot(cluster, platform, nodes, folder);
    }

    @AfterEach
    void stop() {
        spot.close();
    }

    @Test
    void interruptionsFailNoRequestAndLostNodesFew() throws IOException {
        int each = INTERRUPTIONS / 3;
        Count tainted = Count.NONE;
        Count drained = Count.NONE;
        Count lost = Count.NONE;
        spot.deploy(spot.document(FUNCTION, "Spot"));
        for (int i = 0; i < each; i++) {
            tainted = tainted.plus(drill("taint", SpotNode::taint));
            drained = drained.plus(drill("drain", SpotNode::drain));
            lost = lost.plus(drill("loss", SpotNode::kill));
        }
        spot.functions().awaitEvents(FUNCTION, "ReplicaMoved");
        Count alone = Count.NONE;
        platform.set("KNABLA_SPOT_ACT", "false");
        try {
            for (int i = 0; i < each; i++) {
                alone = alone.plus(drill("loss, Kubernetes alone", SpotNode::kill));
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

    /** Takes back a node with one of two replicas, and counts requests until both run elsewhere. */
    private Count drill(String kind, Consumer<SpotNode> interruption) throws IOException {
        spot.spread(FUNCTION);
        SpotNode victim = nodes.inTurn(drills++);
        long began = System.nanoTime();
        SteadyCalls calls = spot.calls(FUNCTION);
        try (calls) {
            await().until(() -> calls.count().sent() > 30);
            assertThat(calls.failures()).as("failed before the interruption").isEmpty();
            interruption.accept(victim);
            await().until(() ->
                    spot.ready(FUNCTION).size() == 2 && !spot.nodesOf(FUNCTION).contains(victim.name()));
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

    /**
     * No spot node is left, so all requests go to on-demand capacity; when there is one again, half of them return.
     * {@code Adaptive} would leave spot capacity alone for ten minutes after the loss of all.
     */
    @Test
    void withoutSpotNodesOnDemandCapacityServes() throws IOException {
        platform.set("KNABLA_SPOT_BLOCK", "10s");
        try {
            ObjectNode mixed = spot.document("mixed", "Mixed");
            mixed.withObject("spec")
                    .withObject("placement")
                    .put("onDemandBase", 1)
                    .put("policy", "StaticMix");
            spot.deploy(mixed);
            await().until(() -> spot.onSpot("mixed") == 1 && spot.ready("mixed").size() == 2);
            SteadyCalls calls = spot.calls("mixed");
            try (calls) {
                await().until(() -> calls.count().sent() > 30);
                nodes.all().forEach(SpotNode::taint);
                await().until(() ->
                        spot.onSpot("mixed") == 0 && spot.ready("mixed").size() == 2);
                nodes.all().forEach(SpotNode::untaint);
                await().until(() -> spot.onSpot("mixed") == 1);
            }
            System.out.printf("interruption test: no spot node and back: failed %s%n", calls.count());
            assertThat(calls.failures()).isEmpty();
        } finally {
            platform.unset("KNABLA_SPOT_BLOCK");
        }
    }

    @Test
    void aRightThatIsMissingIsToldUntilItIsGranted() throws IOException {
        spot.deploy(spot.document(FUNCTION, "Spot"));
        ClusterRole granted = role().get();
        role().edit(InterruptionDrillsOnCluster::withoutReading);
        try {
            spot.functions()
                    .awaitCondition(FUNCTION, "InterruptionsHandled", "False", "CallRefused", "may not get nodes");
            spot.functions().awaitCondition(FUNCTION, "LogsReadable", "False", "CallRefused", "may not get pods/log");
            spot.functions().awaitEvents(FUNCTION, "CallRefused");
            assertThat(platform.knabla("doctor").out()).contains("may not get pods/log, get nodes");
        } finally {
            role().edit(role ->
                    new ClusterRoleBuilder(role).withRules(granted.getRules()).build());
        }
        spot.functions().awaitCondition(FUNCTION, "InterruptionsHandled", "True", "CallAllowed", "");
        spot.functions().awaitCondition(FUNCTION, "LogsReadable", "True", "CallAllowed", "");
    }

    private static Resource<ClusterRole> role() {
        return cluster.client().rbac().clusterRoles().withName("knabla-controller");
    }

    /** Without the reading of logs, and of single nodes. */
    private static ClusterRole withoutReading(ClusterRole role) {
        role.getRules().removeIf(rule -> rule.getResources().contains("pods/log"));
        role.getRules().stream()
                .filter(rule -> rule.getResources().contains("nodes"))
                .forEach(rule -> rule.setVerbs(rule.getVerbs().stream()
                        .filter(verb -> !verb.equals("get"))
                        .toList()));
        return role;
    }
}
