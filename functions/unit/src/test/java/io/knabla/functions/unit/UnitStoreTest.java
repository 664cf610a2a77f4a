package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.blob;
import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.MemoryStore;
import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests storing, reading and materialising units with an in-memory store. */
class UnitStoreTest {
    private static final byte[] GRAPH = bytes("graph");
    private static final byte[] SHARED = bytes("shared weight");
    private static final byte[] OWN = bytes("own weight");
    private static final GraphManifest MANIFEST = Manifests.of(GRAPH, SHARED, OWN);

    @TempDir
    Path cache;

    private final AtomicInteger blobsRead = new AtomicInteger();
    private final MemoryStore store = new MemoryStore() {
        @Override
        public Optional<InputStream> open(ObjectKey key, ByteRange range) {
            blobsRead.addAndGet(key.path().startsWith("blobs/") ? 1 : 0);
            return super.open(key, range);
        }
    };
    private final UnitStore units = new UnitStore(store);

    private Digest stored() {
        for (byte[] part : new byte[][] {GRAPH, SHARED, OWN}) {
            units.writeBlob(blob(part), Content.of(part));
        }
        return units.write(MANIFEST);
    }

    @Test
    void writesOnceAndReadsBack() {
        Digest unit = stored();
        int writes = store.writes.size();

        assertThat(stored()).isEqualTo(unit);
        assertThat(store.writes).hasSize(writes);
        assertThat(units.read(unit)).isEqualTo(MANIFEST);
    }

    @Test
    void materialisesCompleteFolders() throws IOException {
        Path folder = units.materialise(stored(), cache);

        assertThat(folder).isEqualTo(cache.resolve("units/" + stored().hex()));
        assertThat(Files.readAllBytes(folder.resolve("model.onnx"))).isEqualTo(GRAPH);
        assertThat(Files.readAllBytes(folder.resolve(Sha256.of(OWN).hex()))).isEqualTo(OWN);
        assertThat(UnitStore.readMaterialised(folder)).isEqualTo(MANIFEST);
        assertThat(names(folder)).hasSize(4);
        assertThat(names(cache.resolve("units"))).hasSize(1);
        assertThat(names(cache.resolve("blobs"))).hasSize(3);
    }

    @Test
    void needsNoStoreTheSecondTime() {
        Digest unit = stored();
        Path folder = units.materialise(unit, cache);
        store.objects.clear();

        assertThat(units.materialise(unit, cache)).isEqualTo(folder);
    }

    @Test
    void sharesWeightsBetweenUnits() throws IOException {
        Path first = units.materialise(stored(), cache);
        byte[] graph = bytes("another graph");
        units.writeBlob(blob(graph), Content.of(graph));
        Path second = units.materialise(units.write(Manifests.of(graph, SHARED)), cache);

        String name = Sha256.of(SHARED).hex();
        assertThat(blobsRead).hasValue(4);
        assertThat(Files.getAttribute(first.resolve(name), "unix:ino"))
                .isEqualTo(Files.getAttribute(second.resolve(name), "unix:ino"));
    }

    @Test
    void concurrentThreadsFetchOnce() throws Exception {
        Digest unit = stored();
        try (var pool = Executors.newFixedThreadPool(8)) {
            Callable<Path> task = () -> units.materialise(unit, cache);
            for (Future<Path> made :
                    pool.invokeAll(IntStream.range(0, 32).mapToObj(_ -> task).toList())) {
                assertThat(made.get()).isDirectory();
            }
        }
        assertThat(blobsRead).hasValue(3);
    }

    @Test
    void cleansUpAfterAProcessThatDiedHalfWay() throws IOException {
        Digest unit = stored();
        Path half = Files.createDirectories(cache.resolve("units/." + unit.hex() + ".tmp"));
        Files.write(half.resolve("model.onnx"), bytes("half"));
        Path blobs = Files.createDirectories(cache.resolve("blobs"));
        Path parts = Files.createDirectories(cache.resolve("parts"));
        Files.write(parts.resolve(Sha256.of(OWN).hex()), new byte[OWN.length]);
        Files.writeString(parts.resolve(Sha256.of(OWN).hex() + ".ranges"), "\n0 " + OWN.length + "\n");
        Files.write(blobs.resolve(Sha256.of(SHARED).hex()), bytes("short"));

        Path folder = units.materialise(unit, cache);

        assertThat(Files.readAllBytes(folder.resolve("model.onnx"))).isEqualTo(GRAPH);
        assertThat(Files.readAllBytes(folder.resolve(Sha256.of(SHARED).hex()))).isEqualTo(SHARED);
        assertThat(names(cache.resolve("units"))).containsExactly(unit.hex());
        assertThat(names(blobs)).hasSize(3);
        assertThat(names(parts)).isEmpty();
    }

    @Test
    void refusesADamagedBlobAndCreatesNoUnit() throws IOException {
        Digest unit = stored();
        store.objects.put(UnitStore.blobKey(Sha256.of(OWN)), bytes("owm weight"));

        assertThatThrownBy(() -> units.materialise(unit, cache))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("is damaged")
                .hasMessageContaining("deploy the function again");
        assertThat(names(cache.resolve("units"))).isEmpty();
        assertThat(names(cache.resolve("blobs")))
                .doesNotContain(Sha256.of(OWN).hex())
                .hasSize(2);
    }

    @Test
    void refusesAManifestWithAWrongDigest() {
        Digest unit = stored();
        store.objects.put(UnitStore.key(unit), ManifestJson.write(Manifests.of(OWN)));

        assertThatThrownBy(() -> units.read(unit)).hasMessageContaining("is damaged");
        assertThatThrownBy(() -> units.materialise(unit, cache)).hasMessageContaining("is damaged");
    }

    @Test
    void saysWhatIsMissing() {
        Digest unit = stored();
        store.delete(UnitStore.blobKey(Sha256.of(SHARED)));

        assertThatThrownBy(() -> units.materialise(unit, cache))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("blobs/" + Sha256.of(SHARED).hex())
                .hasMessageContaining("memory:");
        assertThatThrownBy(() -> units.read(Sha256.of(bytes("nothing"))))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("is not in the store");
    }

    @Test
    void storesNothingUnderAWrongDigest() {
        Blob promised = new Blob(Sha256.of(OWN), OWN.length);

        assertThatThrownBy(() -> units.writeBlob(promised, Content.of(bytes("owm weight"))))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("changed while it was read");
        assertThat(store.objects).isEmpty();
    }

    @Test
    void overwritesABlobOfTheWrongSize() {
        ObjectKey key = UnitStore.blobKey(Sha256.of(OWN));
        store.objects.put(key, bytes("ow"));

        assertThat(units.writeBlob(blob(OWN), Content.of(OWN))).isTrue();
        assertThat(store.objects.get(key)).isEqualTo(OWN);
    }

    @Test
    void holdsOnlyUnitsWithAllBlobs() {
        Digest unit = stored();
        ObjectKey weight = UnitStore.blobKey(Sha256.of(OWN));
        assertThat(units.holds(unit)).isTrue();

        store.objects.put(weight, bytes("ow"));
        assertThat(units.holds(unit)).isFalse();
        store.objects.remove(weight);
        assertThat(units.holds(unit)).isFalse();
        stored();
        assertThat(units.holds(unit)).isTrue();
        store.objects.remove(UnitStore.key(unit));
        assertThat(units.holds(unit)).isFalse();
    }

    @Test
    void saysWhatToDoAboutACacheItCannotWrite() throws IOException {
        Path file = Files.write(cache.resolve("file"), bytes(""));

        assertThatThrownBy(() -> units.materialise(stored(), file))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("KNABLA_CACHE");
    }

    private static java.util.List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }
}
