package io.knabla.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.ByteRange;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.client.S3Bucket;
import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.faults.S3Location;
import io.knabla.storage.s3.parts.MultipartUploads;
import io.knabla.storage.s3.parts.PartSettings;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.MessageHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests multipart uploads while the network and the server fail. */
class MultipartFaultsTest {
    private static final ObjectKey KEY = ObjectKey.of("blobs/abc");
    private static final Content CONTENT = PatternedContent.named(2 * PartSettings.DEFAULT.partSize() + 1);
    private static final Predicate<MessageHead> A_PART = head -> head.target().contains("partNumber=");
    private static final Predicate<MessageHead> COMPLETION =
            head -> head.method().equals("POST") && head.target().contains("uploadId=");

    @TempDir
    static Path folder;

    private static S3Server server;
    private final Set<String> met = ConcurrentHashMap.newKeySet();
    private Fault fault = new Fault.None();
    private Predicate<MessageHead> hit = _ -> false;
    private FaultProxy proxy;
    private S3Bucket direct;
    private ObjectStore store;

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
        proxy = FaultProxy.start(server.endpoint(), head -> hit.test(head) ? fault : new Fault.None());
        String place = "s3://" + server.newBucket() + "/some/prefix";
        direct = new S3Bucket(S3Location.parse(place), S3Settings.of(server.environment()));
        Map<String, String> environment = new HashMap<>(server.environment());
        environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
        environment.put("KNABLA_S3_ATTEMPTS", "3");
        store = S3ObjectStore.open(place, environment);
    }

    @AfterEach
    void close() {
        store.close();
        direct.close();
        proxy.close();
    }

    static Stream<Fault> faultsOfCompletion() {
        return Stream.of(
                new Fault.ResetBeforeRequest(),
                new Fault.ResponseLost(),
                new Fault.Duplicate(false),
                new Fault.Duplicate(true),
                new Fault.Refused(Fault.S3Error.INTERNAL_ERROR, OptionalInt.empty(), true),
                new Fault.Refused(Fault.S3Error.SLOW_DOWN, OptionalInt.empty(), false));
    }

    @ParameterizedTest
    @MethodSource("faultsOfCompletion")
    void succeedsWhenTheCompletionResponseFails(Fault once) throws IOException {
        fault = once;
        hit = COMPLETION.and(this::isFirst);

        String etag = store.createOnce(KEY, CONTENT).orElseThrow();

        assertThat(met).hasSize(1);
        assertThat(store.stat(KEY).orElseThrow().etag()).isEqualTo(etag);
        assertHolds();
        assertNothingLeft();
    }

    @Test
    void resendsAPartAfterAReset() throws IOException {
        fault = new Fault.ResetMidRequest(0.5);
        hit = A_PART.and(this::isFirst);

        store.write(KEY, CONTENT);

        assertThat(met).hasSize(3);
        assertHolds();
        assertNothingLeft();
    }

    @Test
    void abortsWhenAPartNeverArrives() {
        fault = new Fault.ResetBeforeRequest();
        hit = A_PART.and(head -> head.target().contains("partNumber=2"));

        assertThatThrownBy(() -> store.write(KEY, CONTENT)).isInstanceOf(StorageException.class);

        assertThat(store.stat(KEY)).isEmpty();
        assertNothingLeft();
    }

    @Test
    void sendsAChecksumWithEveryPartAndHashesItOnce() throws IOException {
        Queue<MessageHead> parts = new ConcurrentLinkedQueue<>();
        hit = A_PART.and(parts::add);

        store.createOnce(KEY, CONTENT);

        assertThat(parts).hasSize(3).allSatisfy(part -> {
            assertThat(part.field("x-amz-checksum-crc32")).isPresent();
            assertThat(part.field("x-amz-content-sha256")).contains("UNSIGNED-PAYLOAD");
            assertThat(part.field("Authorization").orElseThrow()).contains("x-amz-checksum-crc32");
        });
    }

    /** Returns whether this is the first attempt of a request; retries differ only in their headers. */
    private boolean isFirst(MessageHead request) {
        return met.add(request.method() + request.target());
    }

    private void assertHolds() throws IOException {
        try (InputStream in = store.open(KEY, ByteRange.ALL).orElseThrow();
                InputStream wanted = CONTENT.open()) {
            assertThat(in.readAllBytes()).isEqualTo(wanted.readAllBytes());
        }
    }

    private void assertNothingLeft() {
        assertThat(new MultipartUploads(direct).uploads("")).isEmpty();
    }
}
