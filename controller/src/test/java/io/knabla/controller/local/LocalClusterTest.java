package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.knabla.controller.config.ReplicaAccess;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.Replica.State;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.AwaitSupport;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import io.knabla.functions.spec.FunctionSpec.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests real replica processes from start to end. */
@Timeout(300)
class LocalClusterTest {
    @TempDir
    Path home;

    @Test
    void aReplicaStartsServesAndDrains() throws Exception {
        List<State> heard = new CopyOnWriteArrayList<>();
        try (LocalCluster cluster = StandInCluster.open(home)) {
            cluster.onChange(replica -> heard.add(replica.state()));
            Replica starting = cluster.start(request("digits"));
            assertThat(starting.id()).matches("digits-v1-[0-9a-f]{8}");

            Replica ready = await(cluster, starting, State.READY);
            assertThat(ready.address().orElseThrow().getHost()).isEqualTo("127.0.0.1");
            assertThat(ready.phases()).containsKeys("place", "boot", "fetch", "load");
            assertThat(home.resolve("run/replicas").resolve(ready.id()).resolve("pid"))
                    .exists();

            cluster.stop(ready.id());
            cluster.stop(ready.id());
            Replica stopped = await(cluster, starting, State.STOPPED);

            assertThat(stopped.reason()).contains("143");
            // A state may be visible shortly before listeners are notified.
            AwaitSupport.await().until(() -> heard.contains(State.STOPPED));
            assertThat(heard).containsExactly(State.STARTING, State.READY, State.DRAINING, State.STOPPED);
            assertThat(home.resolve("run/replicas").resolve(ready.id())).doesNotExist();
            assertThat(Files.readString(log(ready)))
                    .contains("standing in for digits", "a library prints what is no event", "exit code 143");
        }
    }

    @Test
    void aCrashIsExplained() {
        try (LocalCluster cluster = StandInCluster.open(home)) {
            Replica crashed = await(cluster, cluster.start(request("crashing")), State.FAILED);
            Replica failed = await(cluster, cluster.start(request("failing")), State.FAILED);

            assertThat(crashed.reason()).contains("segmentation fault", "no such operator: Frobnicate");
            assertThat(failed.reason())
                    .isEqualTo("the unit is not there; exit code 3 (it could not load its unit; see its log)");
        }
    }

    @Test
    void aKilledReplicaIsNoticed() {
        try (LocalCluster cluster = StandInCluster.open(home)) {
            Replica ready = await(cluster, cluster.start(request("digits")), State.READY);
            process(ready.id()).destroyForcibly();

            assertThat(await(cluster, ready, State.FAILED).reason()).contains("exit code 137", "memory ran out");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aReplicaThatExceedsItsMemoryOutsideTheHeapIsEnded() throws Exception {
        try (LocalCluster cluster = StandInCluster.open(home)) {
            Specs small = Specs.inference().resources(new Resources(Optional.empty(), Optional.of(128L << 20), 0));
            var request = new ReplicaRequest(Specs.id("hungry"), small.version(1, Instant.now()), "spot");
            Replica killed = await(cluster, cluster.start(request), State.FAILED);

            assertThat(killed.failure()).isEqualTo(Replica.Failure.OUT_OF_MEMORY);
            assertThat(killed.reason())
                    .isEqualTo(
                            "a replica was killed, as it used more than its memory of 128Mi. Set spec.resources.memory to more, such as 256Mi, or to auto; ./knabla analyze tells what the model needs.");
            assertThat(Files.readString(log(killed))).contains("[knabla] it used ", "more than its memory of 128Mi");
        }
    }

    @Test
    void aStartThatTakesTooLongIsEnded() {
        LocalSettings impatient = StandInCluster.settings(home, Duration.ofMillis(500));
        try (LocalCluster cluster = LocalCluster.open(impatient)) {
            Replica failed = await(cluster, cluster.start(request("stuck")), State.FAILED);

            assertThat(failed.reason()).startsWith("it was not ready within");
        }
    }

    @Test
    void reportsWhyAReplicaCannotStart() {
        LocalSettings good = StandInCluster.settings(home, Duration.ofSeconds(5));
        LocalSettings noJava = new LocalSettings(
                home,
                good.replicaArgs(),
                Path.of("/nowhere/java"),
                good.store(),
                List.of(),
                new ReplicaAccess(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        try (LocalCluster cluster = LocalCluster.open(noJava)) {
            Replica replica = cluster.start(request("digits"));

            assertThat(replica.state()).isEqualTo(State.FAILED);
            assertThat(replica.reason()).startsWith("cannot start /nowhere/java");
        }
    }

    @Test
    void aMissingReplicaProgramIsNamed() throws Exception {
        LocalSettings settings = StandInCluster.settings(home, Duration.ofSeconds(5));
        Files.delete(settings.replicaArgs());
        try (LocalCluster cluster = LocalCluster.open(settings)) {
            Replica replica = cluster.start(request("digits"));

            assertThat(replica.state()).isEqualTo(State.FAILED);
            assertThat(replica.reason()).contains("replica.args", "KNABLA_REPLICA_HOME");
        }
    }

    @Test
    void closingEndsAllOfThem() {
        List<ProcessHandle> processes;
        try (LocalCluster cluster = StandInCluster.open(home)) {
            Replica ready = await(cluster, cluster.start(request("digits")), State.READY);
            Replica stuck = cluster.start(request("stuck"));
            processes = List.of(process(ready.id()), process(stuck.id()));
        }

        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(home.resolve("run/replicas")).isEmptyDirectory();
    }

    @Test
    void secondControllerCannotUseTheSameHome() {
        try (LocalCluster first = StandInCluster.open(home)) {
            assertThat(first.nodes()).hasSize(2);
            assertThatIllegalStateException()
                    .isThrownBy(() -> StandInCluster.open(home))
                    .withMessageContaining("another Knabla runs")
                    .withMessageContaining("KNABLA_HOME");
        }
        StandInCluster.open(home).close();
    }

    @Test
    void fewEndedReplicasAreKept() throws IOException {
        try (LocalCluster cluster = StandInCluster.open(home)) {
            for (int i = 0; i < 13; i++) {
                await(cluster, cluster.start(request("failing")), State.FAILED);
            }
            assertThat(cluster.replicas()).hasSizeBetween(10, 11);
            assertThat(cluster.replicas())
                    .allSatisfy(kept -> assertThat(log(kept)).exists());
            try (var logs = Files.list(log(cluster.replicas().getFirst()).getParent())) {
                assertThat(logs).hasSameSizeAs(cluster.replicas());
            }
        }
    }

    private Path log(Replica replica) {
        return home.resolve("logs")
                .resolve(replica.function().namespace())
                .resolve(replica.function().name())
                .resolve(replica.id() + ".log");
    }

    private static Replica await(LocalCluster cluster, Replica replica, State state) {
        return AwaitSupport.await()
                .until(
                        () -> find(cluster, replica.id()).toList(),
                        found -> found.stream().anyMatch(now -> now.state() == state))
                .getFirst();
    }

    private static Stream<Replica> find(LocalCluster cluster, String id) {
        return cluster.replicas().stream().filter(replica -> replica.id().equals(id));
    }

    private ProcessHandle process(String id) {
        return ProcessHandle.current()
                .children()
                .filter(child -> KilledController.note(home, id).startsWith(child.pid() + " "))
                .findFirst()
                .orElseThrow();
    }

    private static ReplicaRequest request(String name) {
        return new ReplicaRequest(Specs.id(name), Specs.inference().version(1, Instant.now()), "spot");
    }
}
