package io.knabla.controller.knative.suite;

import static io.knabla.controller.knative.suite.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.ObjectSegments;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Work;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The ledger of the installed platform after a run on on-demand and simulated spot nodes, with sleep, wake and a leader
 * that is killed, against what a watch of the API server saw.
 */
@ExtendWith(Kwok.class)
@Order(SuiteOrder.CHANGES_PLATFORM)
@ResourceLock(SuiteOrder.PLATFORM)
@ResourceLock(SuiteOrder.SPOT_NODES)
class UsageOnCluster {
    /** The API server does not keep when an object was deleted; each watch hears of it on its own. */
    private static final long HEARD_WITHIN_SECONDS = 2;

    /** No other spot node of the cluster has them, so the replica is on the node that is taken back. */
    private static final int MORE_CPUS_THAN_OTHERS = 20;

    private static final Map<String, String> SPOT_LABELS = Map.of(
            FakeNodes.CAPACITY,
            "spot",
            PricedNodes.INSTANCE_TYPE,
            "m7i.12xlarge",
            "topology.kubernetes.io/region",
            "us-east-1",
            "topology.k8s.aws/zone-id",
            "use1-az1");

    private static final Duration EC2_MINIMUM = Duration.ofSeconds(60);
    private static final String SPOT_ON_DEMAND_USD_PER_HOUR = "2.4192";
    private static final BigDecimal ROUNDING = new BigDecimal("0.000001");

    @RegisterExtension
    @Order(1)
    static final TestCluster cluster = new TestCluster();

    @RegisterExtension
    @Order(2)
    static final InstalledPlatform platform = new InstalledPlatform(cluster);

    @TempDir
    Path folder;

    private final Map<String, Pod> pods = new ConcurrentHashMap<>();
    private final Map<String, Instant> deleted = new ConcurrentHashMap<>();
    private final Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private PricedNodes nodes;
    private Functions functions;
    private InstalledControllers controllers;
    private AutoCloseable watch;
    private Instant takenBack;
    private PrintedCosts costs;
    private int calls;

    @BeforeEach
    void watch() throws IOException {
        functions = new Functions(cluster, cluster.namespace("usage"));
        nodes = new PricedNodes(cluster);
        FunctionNamespace.apply(cluster, functions.namespace());
        controllers = new InstalledControllers(cluster, platform);
        watch = cluster.client()
                .pods()
                .inNamespace(functions.namespace())
                .withLabel("knabla.dev/function")
                .inform(new Watch());
    }

    @AfterEach
    void close() throws Exception {
        watch.close();
        controllers.close();
        nodes.close();
    }

    @Test
    void intervalsAreThoseOfTheApiServerToTheSecond() throws Exception {
        String spot = "usage-spot-" + UUID.randomUUID().toString().substring(0, 6);
        Node spotNode;
        try (var fakes = new FakeNodes(cluster)) {
            fakes.add(spot, SPOT_LABELS, 2 * MORE_CPUS_THAN_OTHERS, 0);
            spotNode = fakes.find(spot);
            platform.upload("add-sub");
            functions.apply(function("on-demand", "20m", "OnDemand", 0));
            functions.awaitReady("on-demand");
            functions.apply(function("on-spot", Integer.toString(MORE_CPUS_THAN_OTHERS), "Spot", 1));
            await().until(() -> functions.pods("on-spot").stream()
                    .anyMatch(pod -> spot.equals(pod.getSpec().getNodeName())));
            sleepAndWake();
            controllers.awaitAllKnow(spot);
            controllers.killLeader();
            takeBack(spot);
            sleepAndWake();
            awaitLead();
            sleepAndWake();
            cluster.kubectl("-n", functions.namespace(), "delete", "fn", "--all")
                    .good();
            await().until(() -> pods.keySet().equals(deleted.keySet()));
            await().untilAsserted(() -> assertThat(usage().replicas())
                    .hasSize(placed().size())
                    .noneMatch(row -> row.end() == ReplicaEnd.RUNNING));
            costs = PrintedCosts.of(platform, began, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        }
        check(usage(), spotNode);
        checkCosts(usage());
    }

    /** The spot node was taken back in its first hour, which EC2 does not bill. */
    private void checkCosts(Usage usage) {
        System.out.println("cluster test: " + costs.table());
        costs.assertComplete();
        Interval spot = usage.nodes().stream()
                .filter(node -> node.capacity() == CapacityType.SPOT)
                .map(NodeInterval::time)
                .findFirst()
                .orElseThrow();
        int onDemand = usage.nodes().size() - 1;
        BigDecimal nodeBill =
                PrintedCosts.bill(PricedNodes.USD_PER_HOUR, costs.period()).multiply(BigDecimal.valueOf(onDemand));
        assumeThat(nodes.names()).as("real nodes whose price is known here").hasSize(onDemand);
        assertThat(costs.total("AS_IT_RAN")).isCloseTo(nodeBill, within(ROUNDING));
        assertThat(costs.credit()).isPositive();
        BigDecimal spotOnDemand = PrintedCosts.bill(SPOT_ON_DEMAND_USD_PER_HOUR, paid(spot));
        assertThat(costs.total("ALL_ON_DEMAND")).isCloseTo(nodeBill.add(spotOnDemand), within(ROUNDING));
    }

    /** EC2 bills a minute at least: where the images are there already, the spot node lives for less. */
    private static Duration paid(Interval life) {
        Duration lived = Duration.between(life.start(), life.end().orElseThrow());
        return lived.compareTo(EC2_MINIMUM) < 0 ? EC2_MINIMUM : lived;
    }

    private void check(Usage usage, Node spot) {
        assertThat(usage.damages()).isEmpty();
        assertThat(usage.replicas())
                .extracting(ReplicaInterval::id)
                .containsExactlyInAnyOrderElementsOf(placed().keySet());
        usage.replicas().forEach(row -> checkReplica(row, pods.get(row.id())));
        assertThat(usage.nodes())
                .filteredOn(node -> node.id().equals(spot.getMetadata().getUid()))
                .singleElement()
                .satisfies(node -> {
                    assertThat(node.capacity()).isEqualTo(CapacityType.SPOT);
                    assertThat(node.time().start())
                            .isEqualTo(Instant.parse(spot.getMetadata().getCreationTimestamp()));
                    assertThat(node.time().end().orElseThrow())
                            .isCloseTo(takenBack, within(HEARD_WITHIN_SECONDS, ChronoUnit.SECONDS));
                    assertThat(node.end()).isEqualTo(NodeEnd.INTERRUPTED);
                });
        assertThat(usage.nodes())
                .filteredOn(node -> node.capacity() == CapacityType.ON_DEMAND)
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.time()).isEqualTo(lasting(node)));
        long answered = usage.replicas().stream()
                .mapToLong(row -> row.work().succeeded())
                .sum();
        assertThat(answered).isEqualTo(calls);
        assertThat(usage.requests().stream()
                        .map(RequestMinute::work)
                        .reduce(Work.NONE, Work::plus)
                        .succeeded())
                .isEqualTo(calls);
        System.out.printf(
                "cluster test: %d replicas on %d nodes recorded as the API server saw them, %d calls%n",
                usage.replicas().size(), usage.nodes().size(), answered);
    }

    private static Interval lasting(NodeInterval node) {
        String created = cluster.client()
                .nodes()
                .withName(node.name())
                .get()
                .getMetadata()
                .getCreationTimestamp();
        return new Interval(Instant.parse(created), Optional.empty());
    }

    private void checkReplica(ReplicaInterval row, Pod pod) {
        assertThat(row.time().start()).as(row.toString()).isEqualTo(scheduled(pod));
        List<Instant> finished = pod.getStatus().getContainerStatuses().stream()
                .map(ContainerStatus::getState)
                .flatMap(state -> Optional.ofNullable(state.getTerminated()).stream())
                .map(end -> Instant.parse(end.getFinishedAt()))
                .toList();
        Instant end = row.time().end().orElseThrow();
        if (finished.size() == pod.getStatus().getContainerStatuses().size()) {
            assertThat(finished.stream().max(Instant::compareTo))
                    .as(row.toString())
                    .contains(end);
        } else {
            assertThat(end)
                    .as(row.toString())
                    .isCloseTo(deleted.get(row.id()), within(HEARD_WITHIN_SECONDS, ChronoUnit.SECONDS));
        }
    }

    /** Pods that held resources of a node; others wait for one until they are deleted. */
    private Map<String, Pod> placed() {
        Map<String, Pod> placed = new HashMap<>(pods);
        placed.values().removeIf(pod -> pod.getSpec().getNodeName() == null);
        return placed;
    }

    private static Instant scheduled(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .map(condition -> Instant.parse(condition.getLastTransitionTime()))
                .findFirst()
                .orElseThrow();
    }

    /** What the ledger says of this test's functions, and of the nodes there were meanwhile. */
    private Usage usage() throws IOException {
        try (LocalPortForward port = controllers.openStore();
                ObjectStore store = controllers.store(port).open();
                var segments = new ObjectSegments(store, UUID.randomUUID().toString(), Clock.systemUTC())) {
            return only(new UsageReader(store, segments, ParquetEngine.duckDb("256MB", 1), folder)
                    .rows(began, Instant.now().plusSeconds(60)));
        }
    }

    private Usage only(Usage all) {
        return new Usage(all.rows().stream().filter(this::isOurs).toList(), all.damages());
    }

    private boolean isOurs(UsageRecord row) {
        return switch (row) {
            case UsageRecord.Node _ -> true;
            case UsageRecord.Replica replica -> replica.interval().namespace().equals(functions.namespace());
            case UsageRecord.Requests requests -> requests.minute().namespace().equals(functions.namespace());
        };
    }

    private void sleepAndWake() throws IOException {
        await().untilAsserted(() -> assertThat(functions.pods("on-demand")).isEmpty());
        Functions.json(functions.infer("on-demand", "add-sub"));
        calls++;
    }

    /** As the AWS Node Termination Handler does it: a taint, and two minutes later the node is gone. */
    private void takeBack(String spot) {
        cluster.client()
                .nodes()
                .withName(spot)
                .edit(node -> new NodeBuilder(node)
                        .editSpec()
                        .addToTaints(new Taint("NoSchedule", "aws-node-termination-handler/spot-itn", null, "event"))
                        .endSpec()
                        .build());
        cluster.client().nodes().withName(spot).delete();
        takenBack = Instant.now();
    }

    /** A controller reconciles only while it leads. */
    private void awaitLead() throws IOException {
        functions.apply(function("later", "20m", "OnDemand", 0));
        functions.awaitReady("later");
    }

    private ObjectNode function(String name, String cpu, String capacity, int min) throws IOException {
        ObjectNode document = functions.forKubectl("add-sub");
        document.withObject("metadata").put("name", name);
        ObjectNode spec = document.withObject("spec");
        spec.putObject("resources").put("cpu", cpu).put("memory", "128Mi");
        spec.putObject("placement").put("capacity", capacity);
        spec.withObject("scaling").put("min", min).put("max", 1).put("idleAfter", "6s");
        spec.putObject("keepWarm").put("policy", "Never");
        return document;
    }

    private final class Watch implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            pods.put(pod.getMetadata().getUid(), pod);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            onAdd(pod);
        }

        @Override
        public void onDelete(Pod pod, boolean unseen) {
            onAdd(pod);
            deleted.put(pod.getMetadata().getUid(), Instant.now());
        }
    }
}
