package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.file.FileObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which units a bounded cache keeps, on a real disk. */
class CacheRoomTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path home;

    private final byte[] weight = new byte[MIB];
    private Path cache;
    private RemoteStore store;
    private UnitStore units;

    @BeforeEach
    void open() {
        cache = home.resolve("cache");
        store = new RemoteStore(home.resolve("store"));
        units = new UnitStore(store);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** A unit with its own weight of 1 MiB and these shared weights. */
    private Digest unit(int seed, byte[]... shared) {
        byte[] graph = Manifests.bytes("graph " + seed);
        new Random(seed).nextBytes(weight);
        List<byte[]> weights = new ArrayList<>(List.of(shared));
        weights.add(weight.clone());
        units.writeBlob(blob(graph), Content.of(graph));
        weights.forEach(bytes -> units.writeBlob(blob(bytes), Content.of(bytes)));
        return units.write(Manifests.of(graph, weights.toArray(byte[][]::new)));
    }

    private void prefetch(Digest unit, String bound) {
        units.prefetch(unit, cache, Map.of("KNABLA_CACHE_BYTES", bound), DownloadListener.NONE);
    }

    private void lastUsed(Digest unit, long second) throws IOException {
        Files.setLastModifiedTime(cache.resolve("leases").resolve(unit.hex()), FileTime.fromMillis(second * 1000));
    }

    @Test
    void evictsTheLeastRecentlyUsedUnit() throws IOException {
        Digest first = unit(1);
        Digest second = unit(2);
        prefetch(first, "3MiB");
        prefetch(second, "3MiB");
        lastUsed(first, 200);
        lastUsed(second, 100);

        Digest third = unit(3);
        prefetch(third, "3MiB");

        assertThat(cached()).containsExactlyInAnyOrder(first.hex(), third.hex());
        assertThat(bytes(cache.resolve("blobs"))).isLessThan(3 * MIB);
    }

    @Test
    void aCacheHitCountsAsUse() throws IOException {
        Digest first = unit(1);
        Digest second = unit(2);
        prefetch(first, "3MiB");
        prefetch(second, "3MiB");
        lastUsed(first, 100);
        lastUsed(second, 200);
        prefetch(first, "3MiB");

        prefetch(unit(3), "3MiB");

        assertThat(cached()).contains(first.hex()).doesNotContain(second.hex());
    }

    @Test
    void countsASharedWeightOnce() throws IOException {
        byte[] shared = new byte[MIB];
        prefetch(unit(1, shared), "4MiB");
        prefetch(unit(2, shared), "4MiB");

        assertThat(cached()).hasSize(2);
        assertThat(store.blobBytes.get()).isLessThan(3 * MIB + 100);
    }

    @Test
    void doesNotCountFilesThatALocalStoreKeeps() throws IOException {
        Digest first = unit(1);
        Digest second = unit(2);
        try (ObjectStore local = FileObjectStore.openToRead(home.resolve("store"))) {
            for (Digest unit : List.of(first, second)) {
                new UnitStore(local)
                        .prefetch(unit, cache, Map.of("KNABLA_CACHE_BYTES", "100KiB"), DownloadListener.NONE);
            }
        }
        assertThat(cached()).containsExactlyInAnyOrder(first.hex(), second.hex());
    }

    @Test
    void saysThatAUnitIsLargerThanTheCache() {
        Digest unit = unit(1);

        assertThatThrownBy(() -> prefetch(unit, "1MiB"))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("no room for the unit in " + cache)
                .hasMessageContaining("Set KNABLA_CACHE_BYTES to at least 1048583");
        assertThat(cached()).isEmpty();
        assertThatThrownBy(() -> prefetch(unit, "some")).hasMessageContaining("KNABLA_CACHE_BYTES is 'some'");
    }

    @Test
    void evictsLeftoversBeforeUnits() throws IOException {
        Digest first = unit(1);
        prefetch(first, "3MiB");
        Path dead = cache.resolve("parts").resolve(Sha256.of(weight).hex() + "0");
        Files.write(dead, new byte[MIB]);
        Path gone = Files.createDirectories(cache.resolve("units/.abc.gone"));
        Files.write(gone.resolve("model.onnx"), new byte[MIB]);

        prefetch(unit(2), "3MiB");

        assertThat(cached()).hasSize(2).contains(first.hex());
        assertThat(dead).doesNotExist();
        assertThat(gone).doesNotExist();
    }

    @Test
    void keepsIntactUnitsAfterAReboot() throws IOException {
        Digest unit = unit(1);
        prefetch(unit, "3MiB");
        startTheMachine();
        long before = store.blobBytes.get();
        store.delete(UnitStore.key(unit));

        prefetch(unit, "3MiB");

        assertThat(store.blobBytes).hasValue(before);
        assertThat(cached()).containsExactly(unit.hex());
    }

    @Test
    void fetchesBlobsAgainThatAMachineCrashDamaged() throws IOException {
        Digest unit = unit(1);
        prefetch(unit, "3MiB");
        startTheMachine();
        try (var lost = FileChannel.open(
                cache.resolve("blobs").resolve(Sha256.of(weight).hex()), StandardOpenOption.WRITE)) {
            lost.write(ByteBuffer.allocate(4096), 8192);
        }
        long before = store.blobBytes.get();

        prefetch(unit, "3MiB");

        assertThat(store.blobBytes).hasValue(before + MIB);
        assertThat(cache.resolve("units")
                        .resolve(unit.hex())
                        .resolve(Sha256.of(weight).hex()))
                .hasBinaryContent(weight);
    }

    /** Replaces all boot marks with those of another boot. */
    private void startTheMachine() throws IOException {
        for (String folder : List.of("leases", "locks")) {
            try (Stream<Path> files = Files.list(cache.resolve(folder))) {
                for (Path file : files.toList()) {
                    Files.writeString(file, "00000000-0000-0000-0000-000000000000");
                }
            }
        }
    }

    private List<String> cached() {
        Path folder = cache.resolve("units");
        return Stream.of(folder.toFile().list()).toList();
    }

    private static long bytes(Path folder) {
        return Stream.of(folder.toFile().listFiles())
                .mapToLong(java.io.File::length)
                .sum();
    }
}
