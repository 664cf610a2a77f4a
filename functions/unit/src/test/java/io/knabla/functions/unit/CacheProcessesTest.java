package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.Content;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shares one cache between several real processes, some of which are killed. */
@Timeout(300)
@Tag("faults")
class CacheProcessesTest {
    private static final int WEIGHT = 24 << 20;
    private static final Map<String, String> ROOM_FOR_ONE = Map.of("KNABLA_CACHE_BYTES", "30MiB");

    @TempDir
    Path home;

    private final byte[] graph = Manifests.bytes("graph");
    private final byte[] weight = new byte[WEIGHT];
    private RemoteStore store;
    private UnitStore units;
    private Path cache;
    private Digest unit;

    @BeforeEach
    void open() {
        store = new RemoteStore(home.resolve("store"));
        units = new UnitStore(store);
        cache = home.resolve("cache");
        unit = unit(1);
    }

    private Digest unit(int seed) {
        new Random(seed).nextBytes(weight);
        units.writeBlob(blob(graph), Content.of(graph));
        units.writeBlob(blob(weight), Content.of(weight));
        return units.write(Manifests.of(graph, weight));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void replicasOfOneNodeShareOneDownloadAndItsPages() throws Exception {
        List<CacheProcess> replicas = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                replicas.add(CacheProcess.replica(home, unit, Map.of()));
            }
            long fetched = 0;
            for (CacheProcess replica : replicas) {
                replica.says("starts");
                fetched += Long.parseLong(replica.says());
            }
            assertThat(fetched).isEqualTo(WEIGHT + graph.length);
        } finally {
            for (CacheProcess replica : replicas) {
                replica.close();
            }
        }
        // A second unit with the same weights shares the file.
        byte[] other = Manifests.bytes("other");
        units.writeBlob(blob(other), Content.of(other));
        Path second = prefetch(units.write(Manifests.of(other, weight)), Map.of());
        assertThat(store.blobBytes).hasValue(other.length);
        assertThat(inode(second)).isEqualTo(inode(folder(unit)));
    }

    private Object inode(Path folder) throws IOException {
        return Files.getAttribute(folder.resolve(Sha256.of(weight).hex()), "unix:ino");
    }

    @Test
    void waitingProcessResumesTheDownloadOfAKilledOne() throws Exception {
        try (CacheProcess first = CacheProcess.stuck(home, unit)) {
            first.says("starts");
            first.says("stuck");
            try (CacheProcess second = CacheProcess.replica(home, unit, Map.of())) {
                second.says("starts");
                assertThat(folder(unit)).doesNotExist();
                first.kill();

                assertThat(Long.parseLong(second.says())).isPositive().isLessThan(WEIGHT * 3 / 4);
                assertWhole();
            }
        }
    }

    @Test
    void fetchesBytesAgainThatAMachineCrashLost() throws Exception {
        try (CacheProcess first = CacheProcess.stuck(home, unit)) {
            first.says("starts");
            first.says("stuck");
        }
        Path part = cache.resolve("parts").resolve(Sha256.of(weight).hex());
        assertThat(part).hasSize(WEIGHT);
        Files.write(part, new byte[WEIGHT]);

        prefetch(unit, Map.of());

        assertWhole();
    }

    private void assertWhole() throws IOException {
        assertThat(folder(unit).resolve(Sha256.of(weight).hex())).hasBinaryContent(weight);
        assertThat(names(cache.resolve("parts"))).isEmpty();
        assertThat(names(cache.resolve("units"))).containsExactly(unit.hex());
    }

    @Test
    void neverEvictsAUnitInUse() throws Exception {
        Digest other = unit(2);
        try (CacheProcess replica = CacheProcess.replica(home, unit, ROOM_FOR_ONE)) {
            replica.says("starts");
            replica.says();

            assertThatThrownBy(() -> prefetch(other, ROOM_FOR_ONE))
                    .isInstanceOf(UnitException.class)
                    .hasMessageContaining("it needs " + WEIGHT + " bytes more")
                    .hasMessageContaining("KNABLA_CACHE_BYTES is 30MiB")
                    .hasMessageContaining("stop functions");
            assertThat(folder(unit)).isDirectory();
        }

        prefetch(other, ROOM_FOR_ONE);

        assertThat(names(cache.resolve("units"))).containsExactly(other.hex());
        assertThat(names(cache.resolve("blobs")))
                .containsExactlyInAnyOrder(
                        Sha256.of(weight).hex(), Sha256.of(graph).hex());
    }

    @Test
    void evictionKeepsTheUnitsOfItsOwnProcess() throws Exception {
        Digest other = unit(2);
        units.materialise(unit, cache);
        assertThatThrownBy(() -> prefetch(other, ROOM_FOR_ONE)).hasMessageContaining("no room for the unit");

        try (CacheProcess replica = CacheProcess.replica(home, other, ROOM_FOR_ONE)) {
            replica.says("starts");
            // The process prints the reason to stderr and ends.
            assertThat(replica.says()).isNull();
        }
        assertThat(folder(unit)).isDirectory();
    }

    private Path prefetch(Digest wanted, Map<String, String> environment) {
        return units.prefetch(wanted, cache, environment, DownloadListener.NONE);
    }

    private Path folder(Digest wanted) {
        return cache.resolve("units").resolve(wanted.hex());
    }

    private static HashSet<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return new HashSet<>(
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }
}
