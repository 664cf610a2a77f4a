package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.blob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.download.DownloadListener;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches units from an S3 server into a cache. */
class S3FetchTest {
    @TempDir
    static Path served;

    private static S3Server server;

    @TempDir
    Path cache;

    private final byte[] graph = Manifests.bytes("graph");
    private final byte[] weight = new byte[(20 << 20) + 7];
    private ObjectStore store;
    private UnitStore units;
    private Digest unit;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(served);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void store() {
        store = Stores.open("s3://" + server.newBucket() + "/some/prefix", server.environment());
        units = new UnitStore(store);
        new Random(1).nextBytes(weight);
        units.writeBlob(blob(graph), Content.of(graph));
        units.writeBlob(blob(weight), Content.of(weight));
        unit = units.write(Manifests.of(graph, weight));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void downloadsInRanges() {
        assertThat(store.parallelism()).isGreaterThan(1);
        var last = new AtomicLong();
        DownloadListener listener = (done, _) -> last.accumulateAndGet(done, Math::max);

        Path folder = units.prefetch(unit, cache, Map.of(), listener);

        assertThat(folder.resolve("model.onnx")).hasBinaryContent(graph);
        assertThat(folder.resolve(Sha256.of(weight).hex())).hasBinaryContent(weight);
        assertThat(last).hasValue(graph.length + weight.length);
        assertThat(units.materialise(unit, cache)).isEqualTo(folder);
    }

    @Test
    void refusesAnObjectWithWrongBytes() throws IOException {
        byte[] other = weight.clone();
        other[other.length - 1] ^= 1;
        store.write(UnitStore.blobKey(Sha256.of(weight)), Content.of(other));

        refused("is damaged: expected " + Sha256.of(weight));
    }

    @Test
    void refusesAnObjectThatIsTooShort() throws IOException {
        store.write(UnitStore.blobKey(Sha256.of(weight)), Content.of(Arrays.copyOf(weight, 9 << 20)));

        refused("is damaged");
    }

    private void refused(String message) {
        assertThatThrownBy(() -> units.prefetch(unit, cache, Map.of(), DownloadListener.NONE))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining(Sha256.of(weight).hex())
                .hasMessageContaining(message);
        assertThat(cache.resolve("units").resolve(unit.hex())).doesNotExist();
        assertThat(cache.resolve("blobs").resolve(Sha256.of(weight).hex())).doesNotExist();
    }
}
