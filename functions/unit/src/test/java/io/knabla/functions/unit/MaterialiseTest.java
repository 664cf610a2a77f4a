package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Content;
import io.knabla.storage.file.FileObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Materialises units from a real store on disk, also by several processes at once. */
class MaterialiseTest {
    private static final int PROCESSES = 4;

    @TempDir
    Path home;

    private final byte[] graph = Manifests.bytes("graph");
    private final byte[] weight = new byte[4 << 20];
    private Digest unit;

    @BeforeEach
    void store() {
        new Random(1).nextBytes(weight);
        try (var store = FileObjectStore.open(home.resolve("store"))) {
            var units = new UnitStore(store);
            units.writeBlob(blob(graph), Content.of(graph));
            units.writeBlob(blob(weight), Content.of(weight));
            unit = units.write(Manifests.of(graph, weight));
        }
    }

    /** Materialises a unit like a replica, in a separate process. */
    public static void main(String[] args) {
        try (var store = FileObjectStore.openToRead(Path.of(args[0]))) {
            System.out.println(new UnitStore(store).materialise(new Digest(args[1]), Path.of(args[2])));
        }
    }

    @Test
    void concurrentProcessesCreateOneFolder() throws Exception {
        var processes = new ArrayList<Process>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(start());
        }
        Path folder = home.resolve("cache/units/" + unit.hex());
        for (Process process : processes) {
            assertThat(new String(process.getInputStream().readAllBytes()).strip())
                    .isEqualTo(folder.toString());
            assertThat(process.waitFor()).isZero();
        }
        assertThat(folder.resolve(Sha256.of(weight).hex())).hasBinaryContent(weight);
        try (var left = Files.list(folder.getParent())) {
            assertThat(left).containsExactly(folder);
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MaterialiseTest.class.getName(),
                        home.resolve("store").toString(),
                        unit.value(),
                        home.resolve("cache").toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void hardLinksBlobsOfAStoreOnTheSameDisk() throws IOException {
        try (var store = FileObjectStore.openToRead(home.resolve("store"))) {
            Path folder = new UnitStore(store).materialise(unit, home.resolve("cache"));
            Path stored = store.localPath(UnitStore.blobKey(Sha256.of(weight))).orElseThrow();

            assertThat(Files.getAttribute(folder.resolve(Sha256.of(weight).hex()), "unix:ino"))
                    .isEqualTo(Files.getAttribute(stored, "unix:ino"));
        }
    }

    @Test
    void createsAFilePerEntryAndForTheInitialState() throws IOException {
        byte[] vjp = Manifests.bytes("another graph");
        byte[] initial = Manifests.bytes("initial state");
        try (var store = FileObjectStore.open(home.resolve("store"))) {
            var units = new UnitStore(store);
            units.writeBlob(blob(vjp), Content.of(vjp));
            units.writeBlob(blob(initial), Content.of(initial));
            Digest several = units.write(Manifests.of(graph, weight)
                    .with(
                            Optimization.FULL,
                            List.of(new EntryPoint("vjp", blob(vjp), List.of(), List.of())),
                            Optional.of(new TrainingSpec(List.of(), blob(initial)))));
            Path folder = units.materialise(several, home.resolve("cache"));

            assertThat(folder.resolve("model.onnx")).hasBinaryContent(graph);
            assertThat(folder.resolve("vjp.onnx")).hasBinaryContent(vjp);
            assertThat(folder.resolve("initial.safetensors")).hasBinaryContent(initial);
            assertThat(UnitStore.readMaterialised(folder).graphs().entry("vjp")).isPresent();
        }
    }

    @Test
    void verifiesLinkedBlobs() throws IOException {
        try (var store = FileObjectStore.openToRead(home.resolve("store"))) {
            Path stored = store.localPath(UnitStore.blobKey(Sha256.of(weight))).orElseThrow();
            byte[] damaged = weight.clone();
            damaged[damaged.length / 2] ^= 1;
            stored.toFile().setWritable(true);
            Files.write(stored, damaged);

            assertThatThrownBy(() -> new UnitStore(store).materialise(unit, home.resolve("cache")))
                    .isInstanceOf(UnitException.class)
                    .hasMessageContaining("is damaged");
            assertThat(home.resolve("cache/units/" + unit.hex())).doesNotExist();
            assertThat(home.resolve("cache/blobs/" + Sha256.of(weight).hex())).doesNotExist();
        }
    }
}
