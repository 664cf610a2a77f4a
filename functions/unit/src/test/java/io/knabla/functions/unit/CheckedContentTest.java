package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.MemoryStore;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no way of reading stores wrong bytes under a digest. */
class CheckedContentTest {
    private static final byte[] GOOD = {'g', 'o', (byte) 0xff, 'd'};
    private static final byte[] BAD = {'g', 'o', (byte) 0xff, 'D'};

    private static InputStream open(byte[] real) throws IOException {
        return new CheckedContent(Manifests.blob(GOOD), Content.of(real)).open();
    }

    @Test
    void readsByteForByte() throws IOException {
        try (InputStream in = open(GOOD)) {
            assertThat(in.read()).isEqualTo('g');
            assertThat(in.read()).isEqualTo('o');
            assertThat(in.read()).isEqualTo(0xff);
            assertThat(in.read()).isEqualTo('d');
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void failsAtThePromisedSizeWithoutWaitingForTheEnd() throws IOException {
        try (InputStream in = open(BAD)) {
            assertThat(in.read(new byte[3])).isEqualTo(3);
            assertThatThrownBy(in::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("content changed while it was read")
                    .hasMessageContaining(Sha256.of(GOOD).value());
        }
    }

    @Test
    void failsAtAnEndThatComesEarly() throws IOException {
        try (InputStream in = open(new byte[] {'g', 'o'})) {
            assertThat(in.read(new byte[4])).isEqualTo(2);
            assertThatThrownBy(() -> in.read(new byte[4])).hasMessageContaining("content changed while it was read");
        }
    }

    /** So that a store may go on with what another writer of the blob has sent. */
    @Test
    void itsKeyNamesIt() {
        assertThat(new CheckedContent(Manifests.blob(GOOD), Content.of(GOOD)).isNamedByKey())
                .isTrue();
    }

    @Test
    void noWayOfReadingBypassesTheCheck() throws IOException {
        try (InputStream in = open(GOOD)) {
            assertThat(in.markSupported()).isFalse();
            assertThat(in.read(new byte[0])).isZero();
            assertThatThrownBy(() -> in.skip(1)).hasMessageContaining("cannot be skipped");
            assertThat(in.readAllBytes()).isEqualTo(GOOD);
        }
    }

    @Test
    void returnsWhetherABlobWasNew() {
        var units = new UnitStore(new MemoryStore());
        assertThat(units.writeBlob(Manifests.blob(GOOD), Content.of(GOOD))).isTrue();
        assertThat(units.writeBlob(Manifests.blob(GOOD), Content.of(GOOD))).isFalse();
    }

    @Test
    void aBlobWrittenConcurrentlyIsNotNew() {
        var store = new MemoryStore() {
            @Override
            public Optional<ObjectInfo> stat(ObjectKey key) {
                return Optional.empty();
            }
        };
        store.objects.put(UnitStore.blobKey(Sha256.of(GOOD)), GOOD);
        assertThat(new UnitStore(store).writeBlob(Manifests.blob(GOOD), Content.of(GOOD)))
                .isFalse();
    }

    @Test
    void doesNotFetchATooLargeManifest() {
        var store = new MemoryStore();
        Digest unit = Sha256.of(bytes("any"));
        store.objects.put(UnitStore.key(unit), new byte[ManifestLimits.BYTES]);
        assertThatThrownBy(() -> new UnitStore(store).read(unit)).hasMessageContaining("is damaged");

        store.objects.put(UnitStore.key(unit), new byte[ManifestLimits.BYTES + 1]);
        assertThatThrownBy(() -> new UnitStore(store).read(unit))
                .hasMessageContaining("units/" + unit.hex() + ".json' has more than 16777216 bytes");
    }

    @Test
    void aMaterialisedUnitNeedsNoLocks(@TempDir Path cache) throws IOException {
        var store = new MemoryStore();
        var units = new UnitStore(store);
        units.writeBlob(Manifests.blob(GOOD), Content.of(GOOD));
        Digest unit = units.write(Manifests.of(GOOD));
        Path folder = units.materialise(unit, cache);
        try (var locks = Files.list(cache.resolve("locks"))) {
            for (Path lock : locks.toList()) {
                Files.delete(lock);
            }
        }

        assertThat(units.materialise(unit, cache)).isEqualTo(folder);
        assertThat(cache.resolve("locks")).isEmptyDirectory();
    }
}
