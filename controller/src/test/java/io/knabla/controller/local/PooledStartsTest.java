package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.local.pool.PoolMember;
import io.knabla.controller.local.pool.PoolSize;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.Start;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.AwaitSupport;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests starts from the pool with real processes. */
@Timeout(300)
class PooledStartsTest {
    @TempDir
    Path home;

    @Test
    void twoFunctionsGetAMemberEach() throws Exception {
        try (LocalCluster cluster = StandInCluster.open(home, new PoolSize(2, 2))) {
            List<Long> members = pids(awaitIdle(cluster, 2));
            Replica one = await(cluster, cluster.start(request("digits", Optional.empty())), State.READY);
            Replica other = await(cluster, cluster.start(request("letters", Optional.empty())), State.READY);

            assertThat(List.of(one.start(), other.start())).containsOnly(Start.POOLED);
            assertThat(one.phases()).containsKeys("place", "boot", "fetch", "load");
            assertThat(List.of(pid(one), pid(other))).containsExactlyInAnyOrderElementsOf(members);
            assertThat(Files.readString(log(one)))
                    .contains("standing in for digits")
                    .doesNotContain("letters");

            assertThat(pids(awaitIdle(cluster, 2)))
                    .as("replaced, not used again")
                    .doesNotContainAnyElementsOf(members);
        }
        assertThat(home.resolve("run/replicas")).isEmptyDirectory();
    }

    @Test
    void aMemberThatIsKilledLeadsToAColdStart() {
        try (LocalCluster cluster = StandInCluster.open(home, new PoolSize(1, 1))) {
            PoolMember member = awaitIdle(cluster, 1).getFirst();
            member.process().toHandle().destroyForcibly();
            Replica afterIdle = await(cluster, cluster.start(request("digits", Optional.empty())), State.READY);

            awaitIdle(cluster, 1);
            Replica whileAssigned = await(cluster, cluster.start(request("lost", Optional.empty())), State.READY);

            assertThat(List.of(afterIdle.start(), whileAssigned.start())).containsOnly(Start.COLD);
        }
    }

    @Test
    void aBurstNeverExceedsTheMaximum() throws Exception {
        try (LocalCluster cluster = StandInCluster.open(home, new PoolSize(1, 3))) {
            awaitIdle(cluster, 1);
            List<Replica> burst = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                burst.add(cluster.start(request("digits" + i, Optional.empty())));
            }
            burst.replaceAll(replica -> await(cluster, replica, State.READY));

            assertThat(burst).extracting(Replica::start).containsOnlyOnce(Start.POOLED);
            awaitIdle(cluster, 3);
            try (var processes = Files.list(home.resolve("run/replicas"))) {
                assertThat(processes.filter(one -> one.getFileName().toString().startsWith("pool-")))
                        .as("those that wait, and the one that was assigned")
                        .hasSize(4);
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thePoolLearnsADeclaredSizeAndItsLimitHolds() {
        Optional<Long> small = Optional.of(128L << 20);
        try (LocalCluster cluster = StandInCluster.open(home, new PoolSize(1, 1))) {
            awaitIdle(cluster, 1);
            Replica first = await(cluster, cluster.start(request("digits", small)), State.READY);
            assertThat(first.start()).isEqualTo(Start.COLD);
            AwaitSupport.await()
                    .until(() -> cluster.pool().idle().stream()
                            .anyMatch(member -> member.process()
                                    .info()
                                    .arguments()
                                    .map(List::of)
                                    .orElse(List.of())
                                    .contains("-Xmx64m")));

            Replica hungry = await(cluster, cluster.start(request("hungry", small)), State.FAILED);

            assertThat(hungry.start()).isEqualTo(Start.POOLED);
            assertThat(hungry.failure()).isEqualTo(Replica.Failure.OUT_OF_MEMORY);
        }
    }

    private static List<PoolMember> awaitIdle(LocalCluster cluster, int count) {
        return AwaitSupport.await().until(() -> cluster.pool().idle(), idle -> idle.size() == count);
    }

    private static List<Long> pids(List<PoolMember> members) {
        return members.stream().map(member -> member.process().pid()).toList();
    }

    private long pid(Replica replica) {
        AwaitSupport.await()
                .until(() -> KilledController.note(home, replica.id()).contains(" "));
        return Long.parseLong(KilledController.note(home, replica.id()).split(" ")[0]);
    }

    private Path log(Replica replica) {
        return LocalCluster.logFile(home.resolve("logs"), replica.function(), replica.id());
    }

    private static Replica await(LocalCluster cluster, Replica replica, State state) {
        return AwaitSupport.await()
                .until(
                        () -> cluster.replicas().stream()
                                .filter(one -> one.id().equals(replica.id()))
                                .findFirst()
                                .orElseThrow(),
                        now -> now.state() == state);
    }

    private static ReplicaRequest request(String name, Optional<Long> memory) {
        Specs specs = Specs.inference().resources(new Resources(Optional.empty(), memory, 0));
        return new ReplicaRequest(Specs.id(name), specs.version(1, Instant.now()), "spot");
    }
}
