package io.knabla.controller.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.machine.Node;
import io.knabla.controller.machine.Node.CapacityType;
import io.knabla.controller.platform.CapacitySignals;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.GpuError;
import io.knabla.controller.platform.KeepWarm;
import io.knabla.controller.platform.LostGpus;
import io.knabla.controller.platform.NodePrices;
import io.knabla.controller.platform.PlacementReasons;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.platform.VersionKey;
import io.knabla.controller.platform.Workload;
import io.knabla.controller.scale.fleet.SpotRisks;
import io.knabla.controller.spot.policy.ZoneRisk;
import io.knabla.controller.standin.Replicas;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.ToyWorkload;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.storage.memory.MemoryObjectStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where replicas start, and what the spot policy learns of it: no slot is free on the one spot node. */
class ReplicaScalerTest {
    private static final FunctionRecord DIGITS = Specs.inference().record("digits", Instant.EPOCH);
    private static final VersionKey KEY = new VersionKey(DIGITS.id(), 1);

    private final List<Replica> replicas = new ArrayList<>();
    private final List<Workload> others = new ArrayList<>();
    private final SpotRisks risks = new SpotRisks(new MemoryObjectStore(), () -> Instant.EPOCH);
    private final LostGpus lost = new LostGpus(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    private final SpotCapacity capacity = new SpotCapacity(
            new CapacitySignals(),
            new PlacementReasons(),
            NodePrices.UNKNOWN,
            Duration.ZERO,
            new SplittableRandom(1),
            risks,
            lost);
    private final VersionScaling version = new VersionScaling(
            KEY, DIGITS.latest(), () -> Instant.EPOCH, KeepWarm.NONE, true, capacity.fleet(DIGITS.id()));
    private Instant now = Instant.EPOCH;

    /** Replicas that are ready when they start. */
    private final Cluster cluster = new Cluster() {
        @Override
        public Replica start(ReplicaRequest request) {
            Replica started = new Replica(
                    "r" + replicas.size(),
                    request.function(),
                    1,
                    Optional.of(request.version().created()),
                    request.node(),
                    Replica.State.READY,
                    Optional.empty(),
                    "",
                    Map.of(),
                    now,
                    "",
                    Replica.Failure.UNSPECIFIED,
                    Replica.Start.COLD);
            replicas.add(started);
            return started;
        }

        @Override
        public List<Replica> replicas() {
            return List.copyOf(replicas);
        }

        @Override
        public List<Workload> workloads() {
            return Stream.concat(
                            replicas.stream()
                                    .map(replica -> new ReplicaRequest(DIGITS.id(), DIGITS.latest(), replica.node())
                                            .workload(replica.id())),
                            others.stream())
                    .toList();
        }

        @Override
        public List<Node> nodes() {
            return Stream.of(CapacityType.Spot, CapacityType.OnDemand)
                    .map(type -> new Node(type.name(), Pool.cpu, type, "local", type.name(), 1))
                    .toList();
        }

        @Override
        public void onChange(Listener listener) {}

        @Override
        public void stop(String replica) {}

        @Override
        public void suspect(String replica) {}
    };

    private final ReplicaScaler scaler =
            new ReplicaScaler(cluster, new Preemptor(cluster, List.of(version)), capacity, (_, _) -> {});

    private void scale(Duration later) {
        now = now.plus(later);
        scaler.scale(version, 1, true, _ -> 0, now);
    }

    private ZoneRisk spot() {
        return risks.of(DIGITS.id()).recall().orElseThrow().zones().get(CapacityType.Spot.name());
    }

    @Test
    void aNodeThatLostItsGpuGetsNoReplicas() {
        var error = new GpuError(79, true, "it fell off the bus");
        for (CapacityType node : CapacityType.values()) {
            lost.told(node.name(), error);
        }

        scale(Duration.ZERO);

        assertThat(replicas).isEmpty();
        assertThat(version.unplaceable.orElseThrow().message())
                .contains("its GPU was lost (Xid 79: it fell off the bus), blocked until 1970-01-01T00:10:00Z");
        scale(LostGpus.CLOSED);
        assertThat(replicas).hasSize(1);
    }

    @Test
    void thePolicyLearnsOfEachLaunchThatFoundNoRoomAsPlanned() {
        replicas.add(Replicas.of("other", CapacityType.Spot.name(), Replica.State.READY, now));

        scale(Duration.ZERO);
        assertThat(replicas).extracting(Replica::node).as("the target needs it").endsWith("OnDemand");
        scale(Duration.ofSeconds(2));
        assertThat(spot().refusals()).isEqualTo(1);
        scale(Duration.ofMinutes(10));
        scale(Duration.ofSeconds(2));
        assertThat(spot().refusals()).as("a replacement was tried again").isEqualTo(2);
        for (int i = 0; i < 100; i++) {
            scale(Duration.ofSeconds(2));
        }
        assertThat(spot().refusals()).as("nothing was tried").isEqualTo(2);
        assertThat(replicas).hasSize(2);
    }

    @Test
    void aWorkloadOfAnotherKindTakesASlotLikeAReplica() {
        others.add(ToyWorkload.on(CapacityType.Spot.name()));
        scale(Duration.ZERO);
        assertThat(replicas).extracting(Replica::node).containsExactly("OnDemand");

        others.clear();
        replicas.clear();
        scale(Duration.ofMinutes(10));
        assertThat(replicas).extracting(Replica::node).containsExactly("Spot");
    }

    @Test
    void aSlotThatBecomesFreeIsUsedAtOnce() {
        replicas.add(Replicas.of("other", CapacityType.Spot.name(), Replica.State.READY, now));
        scale(Duration.ZERO);
        scale(Duration.ofSeconds(2));
        scale(Duration.ofMinutes(10));
        scale(Duration.ofSeconds(2));
        assertThat(spot().refusals()).isEqualTo(2);
        assertThat(spot().blockedHours()).isPositive();

        replicas.removeFirst();
        scale(Duration.ofSeconds(2));
        assertThat(replicas).extracting(Replica::node).containsExactly("OnDemand", "Spot");
        assertThat(spot().blockedHours()).isZero();
    }
}
