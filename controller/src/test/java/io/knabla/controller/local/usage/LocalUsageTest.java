package io.knabla.controller.local.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.Work;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.unit.usage.ReplicaTotals;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalUsageTest {
    private static final Instant START = Instant.parse("2026-11-23T09:00:00Z");
    private static final Resources MACHINE = new Resources(new BigDecimal("2"), 8L << 30, 0);
    private static final List<Node> NODES = List.of(
            new Node("mine", Pool.cpu, CapacityType.OnDemand, "local", "local", 8),
            new Node("rented", Pool.gpu, CapacityType.Spot, "g4ad.16xlarge", "use1-az4", 8));

    @TempDir
    Path folder;

    private Instant now = START;

    private LocalUsage open() {
        return LocalUsage.open(folder, NODES, MACHINE, () -> now, () -> {});
    }

    private static Replica replica(State state, Instant started) {
        return new Replica(
                "digits-v1-7",
                Specs.id("digits"),
                1,
                Optional.empty(),
                "mine",
                state,
                Optional.empty(),
                "",
                Map.of("boot", 20.5),
                started,
                "",
                Replica.Failure.UNSPECIFIED,
                Replica.Start.COLD);
    }

    /** Costs must not make functions unavailable, whatever became of their files. */
    @Test
    void filesInPlaceOfItsFoldersDoNotKeepItFromOpening() throws Exception {
        Files.writeString(folder.resolve("alive"), "a file");
        Files.writeString(folder.resolve("started"), "a file");
        assertThat(open().nodes()).hasSize(NODES.size());
    }

    @Test
    void aNoteThatCannotBeReadDoesNotHideTheOthers() throws Exception {
        open();
        Path started = folder.resolve("started");
        Files.createDirectories(started.resolve("a-folder").resolve("in-place-of-a-note"));
        now = START.plusSeconds(60);
        assertThat(open().nodes()).hasSize(2 * NODES.size());
        assertThat(started.resolve("a-folder")).exists();
    }

    private void startReplica(LocalUsage usage) {
        usage.starting(
                new ReplicaRequest(Specs.id("digits"), Specs.inference().version(1, START), "mine")
                        .workload("digits-v1-7"),
                now);
    }

    @Test
    void describesNodesByTheirTypeOrThisMachine() {
        List<NodeInterval> nodes = open().nodes();

        assertThat(nodes)
                .filteredOn(node -> node.name().equals("mine"))
                .singleElement()
                .satisfies(node -> {
                    assertThat(node.id()).isEqualTo("mine@2026-11-23T090000Z");
                    assertThat(node.size()).isEqualTo(MACHINE);
                    assertThat(node.region()).isEmpty();
                    assertThat(node.time().start()).isEqualTo(START);
                });
        assertThat(nodes)
                .filteredOn(node -> node.name().equals("rented"))
                .singleElement()
                .satisfies(node -> {
                    assertThat(node.size()).isEqualTo(new Resources(new BigDecimal("64"), 256L << 30, 4));
                    assertThat(node.region()).isEqualTo("us-east-1");
                    assertThat(node.pool()).isEqualTo("gpu");
                });
    }

    @Test
    void tellsWhatAReplicaDid() {
        LocalUsage usage = open();
        startReplica(usage);
        usage.changed(replica(State.READY, START));
        now = START.plusSeconds(10);
        usage.reported("digits-v1-7", new ReplicaTotals(5, 1, 320, 70, 2500, 1 << 20));
        usage.retried("digits-v1-7");
        usage.changed(replica(State.FAILED, START));
        now = START.plusSeconds(20);

        ReplicaInterval told = usage.replicas().getFirst();
        assertThat(told.node()).isEqualTo("mine@2026-11-23T090000Z");
        assertThat(told.time().end()).hasValue(START.plusSeconds(10));
        assertThat(told.end()).isEqualTo(ReplicaEnd.FAILED);
        assertThat(told.work()).isEqualTo(new Work(5, 1, 1, 320, 70));
        assertThat(told.used()).isEqualTo(new Resources(new BigDecimal("0.250000"), 1 << 20, 0));
        assertThat(told.requested().vcpus()).isEqualByComparingTo("0.25");
        assertThat(told.startPhases()).containsEntry("boot", Duration.ofNanos(20_500_000));
    }

    @Test
    void whatAKilledPlatformLeftEndedWhenItWasAliveLast() {
        LocalUsage killed = open();
        startReplica(killed);
        NodeInterval node = killed.nodes().getFirst();
        now = START.plusSeconds(100);
        killed.touch();
        now = START.plusSeconds(500);
        LocalUsage next = open();
        next.touch();

        // It was started, but the ledger had not taken it yet.
        assertThat(next.replicas()).singleElement().satisfies(left -> {
            assertThat(left.id()).isEqualTo("digits-v1-7");
            assertThat(left.time().end()).hasValue(START.plusSeconds(100));
            assertThat(left.end()).isEqualTo(ReplicaEnd.FAILED);
        });
        NodeInterval ended = next.ended(node, START.plusSeconds(60));
        assertThat(next.nodes()).hasSize(2 * NODES.size()).contains(ended);
        assertThat(ended.time().end()).hasValue(START.plusSeconds(100));
        assertThat(ended.end()).isEqualTo(NodeEnd.RELEASED);
        assertThat(next.ended(next.replicas().getFirst(), START.plusSeconds(101))
                        .time()
                        .end())
                .as("it was seen after its last sign of life")
                .hasValue(START.plusSeconds(101));
        next.recorded(next.replicas());
        assertThat(next.replicas()).isEmpty();
        assertThat(next.nodes()).hasSize(NODES.size());
        LocalUsage last = open();
        assertThat(last.replicas()).isEmpty();
        assertThat(last.nodes()).hasSize(NODES.size());
    }

    @Test
    void forgetsAnEndOnlyWhenItIsDurable() {
        LocalUsage usage = open();
        startReplica(usage);
        usage.changed(replica(State.STOPPED, START));
        now = START.plusSeconds(3600);
        usage.recorded(List.of());
        assertThat(usage.replicas()).hasSize(1);
        usage.recorded(usage.replicas());
        assertThat(usage.replicas()).isEmpty();
    }

    @Test
    void aNodeThatIsTakenBackEndsWithItsReplicasAndReturnsAsAnother() {
        LocalUsage usage = open();
        startReplica(usage);
        usage.warned("mine");
        now = START.plusSeconds(5);
        usage.changed(replica(State.STOPPED, START));
        now = START.plusSeconds(120);
        usage.takenBack("mine");
        assertThat(usage.nodes())
                .filteredOn(node -> node.name().equals("mine"))
                .singleElement()
                .satisfies(node -> {
                    assertThat(node.end()).isEqualTo(NodeEnd.INTERRUPTED);
                    assertThat(node.time().end()).hasValue(now);
                });
        assertThat(usage.replicas().getFirst().end()).isEqualTo(ReplicaEnd.INTERRUPTED);

        now = START.plusSeconds(300);
        usage.returned(NODES.getFirst());
        assertThat(usage.nodes())
                .filteredOn(node -> node.name().equals("mine"))
                .extracting(NodeInterval::id)
                .containsExactlyInAnyOrder("mine@2026-11-23T090000Z", "mine.1@2026-11-23T090000Z");
        usage.recorded(List.of());
        assertThat(usage.nodes()).hasSize(NODES.size());
    }

    @Test
    void endsItsNodesAfterItsReplicas() {
        LocalUsage usage = LocalUsage.open(folder, NODES, MACHINE, () -> now, () -> now = START.plusSeconds(7));
        usage.shutDown();

        assertThat(usage.nodes())
                .allSatisfy(node -> assertThat(node.time().end()).hasValue(START.plusSeconds(7)));
    }
}
