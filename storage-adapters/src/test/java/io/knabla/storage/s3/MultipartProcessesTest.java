package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.client.WriteCondition;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartUploads;
import io.knabla.storage.s3.parts.MultipartWriter;
import io.knabla.storage.s3.parts.PartSettings;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.MessageHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests multipart uploads by child processes: killed midway, or with a small heap. */
@Timeout(300)
class MultipartProcessesTest {
    private static final ObjectKey KEY = ObjectKey.of("blobs/abc");
    private static final long PART = PartSettings.DEFAULT.partSize();

    @TempDir
    static Path folder;

    private static S3Server server;
    private String place;
    private S3Bucket bucket;
    private ObjectStore store;
    private MultipartUploads multiparts;

    @BeforeAll
    static void start() {
        server = S3ProxyServer.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        place = "s3://" + server.newBucket() + "/some/prefix";
        store = S3ObjectStore.open(place, server.environment());
        bucket = new S3Bucket(S3Location.parse(place), S3Settings.of(server.environment()));
        multiparts = new MultipartUploads(bucket);
    }

    @AfterEach
    void close() {
        store.close();
        bucket.close();
    }

    @Test
    void resumesTheUploadOfAKilledClient() throws Exception {
        long size = 8 * PART + 1;
        Process child = UploadChild.start(server, place, KEY, size, 6 * PART);
        awaitParts(child, 5);
        child.destroyForcibly().waitFor();
        assertThat(store.stat(KEY)).isEmpty();
        AtomicLong sent = new AtomicLong();
        long there = multiparts
                        .parts(KEY, multiparts.newestIncomplete(KEY).orElseThrow())
                        .size()
                * PART;

        resume(PatternedContent.named(size), sent);

        assertThat(sent.get()).isPositive().isLessThanOrEqualTo(size - there);
        assertThat(there).isGreaterThanOrEqualTo(5 * PART);
        assertHolds(PatternedContent.of(size, 0));
        assertThat(multiparts.head(KEY).orElseThrow().metadata()).containsEntry("from", "child");
        assertThat(multiparts.uploads("")).isEmpty();
    }

    @Test
    void sendsMoreThanTheHeapHolds() throws Exception {
        long size = 20 * PART;
        Process child = UploadChild.start(server, place, KEY, size, Long.MAX_VALUE);

        assertThat(new String(child.getInputStream().readAllBytes(), UTF_8)).contains("sent");
        assertThat(store.stat(KEY).orElseThrow().size()).isEqualTo(size);
        assertHolds(PatternedContent.of(size, 0));
    }

    private void awaitParts(Process child, int count) throws IOException {
        assertThat(child.inputReader().readLine()).isEqualTo("stopped");
        while (multiparts
                        .newestIncomplete(KEY)
                        .map(id -> multiparts.parts(KEY, id).size())
                        .orElse(0)
                < count) {
            assertThat(child.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    /** @param sent receives the bytes of all parts that are sent to the server */
    private void resume(Content content, AtomicLong sent) throws IOException {
        try (FaultProxy counting = FaultProxy.start(server.endpoint(), head -> count(head, sent))) {
            Map<String, String> environment = new HashMap<>(server.environment());
            environment.put("KNABLA_S3_ENDPOINT", counting.endpoint().toString());
            try (S3Bucket through = new S3Bucket(S3Location.parse(place), S3Settings.of(environment))) {
                new MultipartWriter(through).put(KEY, content, new WriteCondition.Absent(), Map.of());
            }
        }
    }

    private static Fault count(MessageHead request, AtomicLong sent) {
        if (request.target().contains("partNumber=")) {
            sent.addAndGet(Long.parseLong(request.field("Content-Length").orElseThrow()));
        }
        return new Fault.None();
    }

    private void assertHolds(Content expected) throws IOException {
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow();
                InputStream wanted = expected.open()) {
            for (byte[] want = wanted.readNBytes(1 << 20); want.length > 0; want = wanted.readNBytes(1 << 20)) {
                assertThat(in.readNBytes(1 << 20)).isEqualTo(want);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
    }
}
