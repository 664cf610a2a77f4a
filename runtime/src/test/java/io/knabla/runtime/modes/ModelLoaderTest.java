package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.serve.ServedModel;
import io.knabla.storage.Content;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that units of another type are stored, fetched and opened by a loader of their own. */
class ModelLoaderTest {
    private static final byte[] WORDS = "one two three".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path cache;

    private Settings settings;
    private Path folder;

    /** A model that has read its words. */
    private record Words(String text) implements ServedModel {
        static ServedModel open(Path folder, FileManifest manifest) {
            try {
                assertThat(manifest.type()).isEqualTo("Words");
                return new Words(Files.readString(folder.resolve("words.txt")));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        @Override
        public int running() {
            return 0;
        }

        @Override
        public int waiting() {
            return 0;
        }

        @Override
        public long runs() {
            return 0;
        }

        @Override
        public Duration overdue() {
            return Duration.ZERO;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void store() {
        var units = new UnitStore(new MemoryObjectStore());
        Blob words = new Blob(Sha256.of(WORDS), WORDS.length);
        units.writeBlob(words, Content.of(WORDS));
        Digest unit = units.write(new FileManifest("Words", Map.of("words.txt", words)));
        assertThat(units.holds(unit)).isTrue();
        folder = units.materialise(unit, cache);
        settings = Settings.parse(Map.of(
                "KNABLA_UNIT", unit.value(), "KNABLA_STORE", "file:///nowhere", "KNABLA_CACHE", cache.toString()));
    }

    @Test
    void opensATypeByItsLoader() {
        ServedModel model = ModelLoader.open(
                folder,
                UnitStore.readMaterialised(folder),
                settings,
                false,
                Map.of("Words", (files, manifest, _, _) -> Words.open(files, manifest)));

        assertThat(model).isEqualTo(new Words("one two three"));
    }

    @Test
    void tellsAnUnknownTypeAndThoseThatItLoads() {
        assertThatThrownBy(() -> ModelLoader.open(folder, UnitStore.readMaterialised(folder), settings, false))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining(
                        "is of type Words, this replica loads Inference, Gradient, TrainingStep, Generation, Encoder.");
    }
}
