package io.knabla.controller.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.controller.platform.CollectableFiles.FileDecision;
import io.knabla.controller.platform.Replica;
import io.knabla.controller.platform.ReplicaRequest;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.standin.StandInCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which logs are kept: of running replicas, the newest of ended ones, and for a week those of deleted functions.
 */
class ReplicaLogFilesTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    @TempDir
    Path home;

    private final MapCatalog catalog = new MapCatalog();
    private LocalCluster cluster;
    private ReplicaLogFiles logs;

    @BeforeEach
    void open() {
        cluster = StandInCluster.open(home);
        logs = new ReplicaLogFiles(home.resolve("logs"), catalog, cluster, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Path log(String function, String replica, Duration ago) throws IOException {
        Path file = home.resolve("logs/default").resolve(function).resolve(replica + ".log");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "a line\n");
        return Files.setLastModifiedTime(file, FileTime.from(NOW.minus(ago)));
    }

    private List<Path> garbage() throws IOException {
        return logs.decide().stream()
                .filter(decision -> !decision.keeps())
                .map(FileDecision::file)
                .toList();
    }

    private void collect() throws IOException {
        for (Path file : garbage()) {
            assertThat(logs.delete(file)).isTrue();
        }
    }

    @Test
    void thereMayBeNoLogsYet() throws IOException {
        assertThat(logs.decide()).isEmpty();
    }

    @Test
    void aFunctionKeepsItsNewestLogsHoweverOld() throws IOException {
        catalog.put(Specs.inference().record("kept", NOW));
        for (int day = 0; day < 25; day++) {
            log("kept", "kept-v1-" + day, Duration.ofDays(100 + day));
        }

        collect();

        try (Stream<Path> left = Files.list(home.resolve("logs/default/kept"))) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ReplicaLogFiles.ENDED_KEPT)
                            .mapToObj(day -> "kept-v1-" + day + ".log")
                            .toList());
        }
    }

    @Test
    void aDeletedFunctionKeepsItsLogsForAWeek() throws IOException {
        log("gone", "gone-v1-a", ReplicaLogFiles.DELETED_KEPT);
        Path young = log("gone", "gone-v1-b", ReplicaLogFiles.DELETED_KEPT.minusSeconds(1));
        log("old", "old-v1-a", ReplicaLogFiles.DELETED_KEPT);

        collect();

        assertThat(young).exists();
        assertThat(home.resolve("logs/default/gone/gone-v1-a.log")).doesNotExist();
        assertThat(home.resolve("logs/default/old")).doesNotExist();
    }

    @Test
    void theLogsOfManyReplicasOfADeletedFunctionAreBoundedAtOnce() throws IOException {
        for (int i = 0; i < 30; i++) {
            log("gone", "gone-v1-" + i, Duration.ofMinutes(i));
        }

        assertThat(garbage()).hasSize(30 - ReplicaLogFiles.ENDED_KEPT);
    }

    @Test
    void theLogOfARunningReplicaIsKeptWhateverItsAge() throws IOException {
        Replica running = cluster.start(
                new ReplicaRequest(Specs.id("deleted"), Specs.inference().version(1, NOW), "od"));
        await().until(() -> cluster.replicas().getFirst().state() == Replica.State.READY);
        for (int i = 0; i < ReplicaLogFiles.ENDED_KEPT; i++) {
            log("deleted", "deleted-v1-" + i, Duration.ofMinutes(i));
        }
        Path own = log("deleted", running.id(), Duration.ofDays(30));

        assertThat(garbage()).isEmpty();
        assertThat(logs.decide()).anySatisfy(decision -> {
            assertThat(decision.file()).isEqualTo(own);
            assertThat(decision.because()).isEqualTo("its replica runs");
        });
    }
}
