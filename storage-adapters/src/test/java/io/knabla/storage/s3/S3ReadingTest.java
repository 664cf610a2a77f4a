package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.MessageHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that a read returns exactly the bytes of one version, or fails. */
class S3ReadingTest {
    private static final ObjectKey KEY = ObjectKey.of("models", "weights");
    private static final byte[] BYTES = new byte[1_500_000];

    @TempDir
    static Path folder;

    private static S3Server server;

    private final List<MessageHead> gets = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<Integer, Fault> faultOfGet = _ -> new Fault.None();
    private FaultProxy proxy;
    private ObjectStore store;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
        new Random(5).nextBytes(BYTES);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() throws IOException {
        proxy = FaultProxy.start(server.endpoint(), this::next);
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
        store = S3ObjectStore.open("s3://" + server.newBucket(), environment);
        store.write(KEY, Content.of(BYTES));
    }

    private Fault next(MessageHead request) {
        if (!request.method().equals("GET")) {
            return new Fault.None();
        }
        gets.add(request);
        return faultOfGet.apply(gets.size());
    }

    @AfterEach
    void close() {
        store.close();
        proxy.close();
    }

    @Test
    void resumesABrokenStream() throws IOException {
        boolean[] reset = {true, false};
        for (boolean byReset : reset) {
            gets.clear();
            faultOfGet = get -> get <= 4 ? new Fault.Truncated(0.3, byReset) : new Fault.None();

            assertThat(bytes(ByteRange.ALL)).isEqualTo(BYTES);
            assertThat(gets).hasSize(5);
            assertThat(gets.getFirst().field("If-Match")).isEmpty();
            assertThat(gets.subList(1, 5)).allMatch(get -> get.field("If-Match").isPresent());
        }
    }

    @Test
    void resumesABrokenRange() throws IOException {
        faultOfGet = get -> get <= 3 ? new Fault.Truncated(0.5, true) : new Fault.None();

        byte[] middle = bytes(new ByteRange(200_001, 700_000));

        byte[] expected = new byte[700_000];
        System.arraycopy(BYTES, 200_001, expected, 0, expected.length);
        assertThat(middle).isEqualTo(expected);
        assertThat(gets.getLast().field("Range").orElseThrow()).endsWith("-900000");
    }

    @Test
    void retriesADocumentWithABrokenBody() {
        faultOfGet = get -> get <= 2 ? new Fault.Truncated(0.9, false) : new Fault.None();

        assertThat(store.read(KEY).orElseThrow().bytes()).isEqualTo(BYTES);
        assertThat(gets).hasSize(3);
    }

    @Test
    void aStreamNeverMixesTwoVersions() throws IOException {
        faultOfGet = get -> get == 1 ? new Fault.Truncated(0.5, true) : new Fault.None();
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow()) {
            assertThat(in.readNBytes(1_000)).hasSize(1_000);
            store.write(KEY, Content.of(new byte[BYTES.length]));

            assertThatThrownBy(in::readAllBytes)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it was replaced meanwhile")
                    .hasCauseInstanceOf(StorageException.class);
        }
    }

    @Test
    void failsAStreamThatKeepsBreaking() throws IOException {
        faultOfGet = _ -> new Fault.Truncated(0.0005, true);
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow()) {
            assertThatThrownBy(in::readAllBytes)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot read 'models/weights' in the store s3://");
            assertThatThrownBy(in::read).isInstanceOf(IOException.class);
        }
    }

    @Test
    void earlyCloseReleasesTheConnection() throws IOException {
        for (int i = 0; i < 300; i++) {
            try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow()) {
                assertThat(in.read()).isEqualTo(BYTES[0] & 0xff);
            }
        }
        assertThat(store.stat(KEY)).isPresent();
    }

    private byte[] bytes(ByteRange range) throws IOException {
        try (InputStream in = store.open(KEY, range).orElseThrow()) {
            return in.readAllBytes();
        }
    }
}
