package io.knabla.controller.local.gateway;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.local.NodeDrills;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.PlacementReasons.PlacementReason;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.standin.Pace;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.storage.thorough.Thorough;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Takes virtual nodes back under load, over real processes: calls that may be repeated do not fail. */
@Timeout(3600)
@Tag("faults")
class InterruptionsTest {
    private static final int CLIENTS = 4;
    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());
    private static final Duration LONG_NOTICE = Duration.ofMinutes(2);

    private static final List<Node> NODES = List.of(
            new Node("od", Pool.cpu, CapacityType.OnDemand, "local", "local-a", 8),
            new Node("spot-a", Pool.cpu, CapacityType.Spot, "local", "local-a", 8),
            new Node("spot-b", Pool.cpu, CapacityType.Spot, "local", "local-b", 8),
            new Node("spot-c", Pool.cpu, CapacityType.Spot, "local", "local-c", 8));

    @TempDir
    Path home;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<Long> micros = new ConcurrentLinkedQueue<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private GatewayFixture knabla;

    @BeforeEach
    void open() throws Exception {
        knabla = new GatewayFixture(
                home, new GatewaySettings(1 << 20, 1 << 20, 32 << 20, 100), StandInCluster.open(home, NODES));
    }

    @AfterEach
    void close() {
        knabla.close();
    }

    @ParameterizedTest(name = "notice of {0} s")
    @ValueSource(ints = {2, 0})
    void noCallFailsWhileNodesAreTakenBack(int notice) throws Exception {
        int interruptions = Thorough.count("knabla.interruptions", 3, 200);
        var random = new Random(SEED);
        knabla.deploy(
                "digits",
                Specs.inference().placement(Pool.auto, Capacity.Spot, 0).scaling(2, 4, 4, Duration.ofMinutes(1)));
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int client = 0; client < CLIENTS; client++) {
                String delay = client == 0 ? "wait-millis 300" : "wait-millis 5";
                clients.execute(() -> call(delay, notice == 0 ? 1 : 0));
            }
            for (int i = 0; i < interruptions; i++) {
                List<Replica> ready = await("two replicas are ready before interruption " + i)
                        .until(this::ready, some -> some.size() >= 2);
                Replica victim = ready.get(random.nextInt(ready.size()));
                knabla.drills.interrupt(victim.node(), Duration.ofSeconds(notice));
                await("the node returns")
                        .until(() -> knabla.signals.of(victim.node()).isEmpty());
            }
            over.set(true);
        }
        report(interruptions, notice);
        assertThat(failures).isEmpty();
        assertThat(micros).hasSizeGreaterThan(interruptions);
    }

    private List<Replica> ready() {
        return knabla.replicas("digits", State.READY).stream()
                .filter(replica -> knabla.signals.of(replica.node()).isEmpty())
                .toList();
    }

    private void report(int interruptions, int notice) {
        long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                "interruption test: %d with a notice of %d s: %d answers, %d failed, %d repeated by the client, p50 %.1f ms, p99 %.1f ms, longest %.1f ms, seed %d (-Dknabla.seed)%n",
                interruptions,
                notice,
                sorted.length,
                failures.size(),
                repeated.get(),
                sorted[sorted.length / 2] / 1e3,
                sorted[sorted.length * 99 / 100] / 1e3,
                sorted[sorted.length - 1] / 1e3,
                SEED);
    }

    private void call(String work, int repeats) {
        while (!over.get()) {
            Pace.pause();
            long begun = System.nanoTime();
            String failure = tryCall(work);
            for (int i = 0; i < repeats && failure != null; i++) {
                repeated.incrementAndGet();
                failure = tryCall(work);
            }
            micros.add((System.nanoTime() - begun) / 1000);
            if (failure != null) {
                failures.add(failure);
            }
        }
    }

    /** Returns why it failed, or null. */
    private String tryCall(String work) {
        try {
            HttpResponse<String> answer = knabla.send(knabla.infer("digits").header("Standin-Do", work));
            return answer.statusCode() == 200 ? null : answer.statusCode() + " " + answer.body();
        } catch (Exception lost) {
            return lost.toString();
        }
    }

    @Test
    void theOnlyReplicaServesUntilItsReplacementIsReady() {
        knabla.deploy("digits", Specs.inference().scaling(1, 1, 4, Duration.ofMinutes(1)));
        Replica first = await().until(this::ready, some -> some.size() == 1).getFirst();

        knabla.drills.interrupt(first.node(), LONG_NOTICE);

        Replica next = await("a replacement is ready")
                .until(this::ready, some -> some.size() == 1)
                .getFirst();
        assertThat(next.node()).isNotEqualTo(first.node());
        Replica gone = await("the warned one has ended long before its notice")
                .until(() -> find(first.id()), replica -> replica.state() == State.STOPPED);
        assertThat(knabla.reasons.of(gone.id())).map(PlacementReason::cause).hasValue("INTERRUPTION_WARNING");
        assertThat(knabla.cluster.usage().replicas())
                .filteredOn(used -> used.id().equals(gone.id()))
                .allSatisfy(used -> assertThat(used.end().name()).isEqualTo("INTERRUPTED"));
    }

    private Replica find(String id) {
        return knabla.cluster.replicas().stream()
                .filter(replica -> replica.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void onARebalanceTheReplacementStartsFirst() {
        knabla.deploy("digits", Specs.inference().scaling(1, 1, 4, Duration.ofMinutes(1)));
        Replica first = await().until(this::ready, some -> some.size() == 1).getFirst();
        Queue<String> readyAtDrain = new ConcurrentLinkedQueue<>();
        knabla.cluster.onChange(replica -> {
            if (replica.id().equals(first.id()) && replica.state() == State.DRAINING) {
                ready().forEach(other -> readyAtDrain.add(other.id()));
            }
        });

        // A recommendation that lapses before the replacement is ready would leave it as surplus.
        try (var drills = new NodeDrills(knabla.cluster, knabla.signals, InstantSource.system(), LONG_NOTICE)) {
            drills.rebalance(first.node());
            await().until(() -> find(first.id()).state() == State.STOPPED);
        }
        assertThat(readyAtDrain).hasSize(1).doesNotContain(first.id());
    }

    @Test
    void withoutSpotCapacityReplicasRunOnDemand() {
        knabla.deploy("digits", Specs.inference().scaling(1, 2, 4, Duration.ofMinutes(1)));
        await().until(this::ready, some -> some.size() == 1);

        List.of("spot-a", "spot-b", "spot-c").forEach(node -> knabla.drills.interrupt(node, LONG_NOTICE));

        Replica onDemand = await().until(this::ready, some -> some.size() == 1).getFirst();
        assertThat(onDemand.node()).isEqualTo("od");
        assertThat(knabla.reasons.of(onDemand.id()).orElseThrow().message()).isNotBlank();
    }

    @Test
    void whereNoCapacityIsLeftACallIsAnsweredWithTheReason() throws Exception {
        List.of("spot-a", "spot-b", "spot-c").forEach(node -> knabla.drills.interrupt(node, LONG_NOTICE));
        knabla.deploy("digits", Specs.inference().placement(Pool.auto, Capacity.Spot, 0));

        HttpResponse<String> answer = knabla.send(knabla.infer("digits"));

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("no node can be used now", "spot-b: taken back at");
        assertThat(answer.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isGreaterThan(60);
    }
}
