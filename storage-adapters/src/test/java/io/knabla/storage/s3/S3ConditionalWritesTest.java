package io.knabla.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import io.knabla.storage.s3.proxy.Fault;
import io.knabla.storage.s3.proxy.Fault.S3Error;
import io.knabla.storage.s3.proxy.FaultProxy;
import io.knabla.storage.s3.proxy.MessageHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that conditional writes report the true outcome whatever happens to requests and responses in transit. */
class S3ConditionalWritesTest {
    private static final ObjectKey KEY = ObjectKey.of("catalog", "digits.json");
    private static final OptionalInt AT_ONCE = OptionalInt.empty();

    @TempDir
    static Path folder;

    private static S3Server server;

    private final Queue<Fault> faults = new ArrayDeque<>();
    private FaultProxy proxy;
    private ObjectStore direct;
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
        String location = "s3://" + server.newBucket() + "/here";
        direct = S3ObjectStore.open(location, server.environment());
        proxy = FaultProxy.start(server.endpoint(), this::onPut, this::otherWriter);
        Map<String, String> environment = new TreeMap<>(server.environment());
        environment.put("KNABLA_S3_ENDPOINT", proxy.endpoint().toString());
        environment.put("KNABLA_S3_ATTEMPTS", "3");
        environment.put("KNABLA_S3_REQUEST_TIMEOUT", "20s");
        store = S3ObjectStore.open(location, environment);
    }

    private synchronized Fault onPut(MessageHead request) {
        return request.method().equals("PUT") && !faults.isEmpty() ? faults.remove() : new Fault.None();
    }

    private void otherWriter(MessageHead request) {
        try {
            Optional<String> now = direct.stat(KEY).map(info -> info.etag());
            if (now.isPresent()) {
                direct.replaceIfMatch(KEY, now.get(), content("another's"));
            } else {
                direct.createOnce(KEY, content("another's"));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @AfterEach
    void close() {
        store.close();
        direct.close();
        proxy.close();
    }

    static Stream<Fault> hiddenSuccesses() {
        return Stream.of(
                new Fault.ResponseLost(),
                new Fault.Duplicate(true),
                new Fault.Duplicate(false),
                new Fault.Truncated(0.1, true),
                new Fault.Refused(S3Error.INTERNAL_ERROR, AT_ONCE, true),
                new Fault.Refused(S3Error.SLOW_DOWN, AT_ONCE, true));
    }

    @ParameterizedTest
    @MethodSource("hiddenSuccesses")
    void reportsSuccessWhenTheResponseFails(Fault fault) throws IOException {
        faults.add(fault);
        String first = store.createOnce(KEY, content("1")).orElseThrow();
        assertThat(first).isEqualTo(direct.stat(KEY).orElseThrow().etag());

        faults.add(fault);
        String second = store.replaceIfMatch(KEY, first, content("2")).orElseThrow();
        assertThat(second).isEqualTo(direct.stat(KEY).orElseThrow().etag());
        assertThat(text()).isEqualTo("2");
    }

    @ParameterizedTest
    @MethodSource("hiddenSuccesses")
    void reportsALostRaceWhenTheResponseFails(Fault fault) throws IOException {
        direct.createOnce(KEY, content("first"));
        String stale = store.read(KEY).orElseThrow().etag();
        otherWriter(null);

        faults.add(fault);
        assertThat(store.createOnce(KEY, content("mine"))).isEmpty();
        faults.add(fault);
        assertThat(store.replaceIfMatch(KEY, stale, content("mine"))).isEmpty();
        assertThat(text()).isEqualTo("another's");
    }

    static Stream<Fault> passingFailures() {
        return Stream.of(
                new Fault.ResetBeforeRequest(),
                new Fault.ResetMidRequest(0.5),
                new Fault.Refused(S3Error.INTERNAL_ERROR, AT_ONCE, false),
                new Fault.Refused(S3Error.SLOW_DOWN, AT_ONCE, false));
    }

    @ParameterizedTest
    @MethodSource("passingFailures")
    void retriesAFailedWrite(Fault fault) throws IOException {
        faults.add(fault);
        String first = store.createOnce(KEY, content("1")).orElseThrow();
        faults.add(fault);
        assertThat(store.replaceIfMatch(KEY, first, content("2"))).isPresent();
        assertThat(text()).isEqualTo("2");
    }

    @Test
    void reportsARaceLostToAnotherWriter() throws IOException {
        faults.add(new Fault.Race());
        assertThat(store.createOnce(KEY, content("mine"))).isEmpty();

        String now = store.stat(KEY).orElseThrow().etag();
        direct.replaceIfMatch(KEY, now, content("second")).orElseThrow();
        assertThat(store.replaceIfMatch(KEY, now, content("mine"))).isEmpty();
        assertThat(text()).isEqualTo("second");
    }

    /** The first attempt succeeds, another writer replaces its version, then the second attempt is refused. */
    @Test
    void reportsSuccessOfAWriteReplacedSince() throws IOException {
        faults.add(new Fault.ResponseLost());
        faults.add(new Fault.Race());

        String won = store.createOnce(KEY, content("mine")).orElseThrow();

        assertThat(text()).isEqualTo("another's");
        assertThat(store.replaceIfMatch(KEY, won, content("mine again"))).isEmpty();
        assertThat(text()).isEqualTo("another's");
    }

    @Test
    void throwsWhenNoRequestArrives() {
        for (int i = 0; i < 3; i++) {
            faults.add(new Fault.ResetBeforeRequest());
        }
        assertThatThrownBy(() -> store.createOnce(KEY, content("1")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot write 'catalog/digits.json' in the store s3://")
                .hasMessageContaining("the connection broke");
        assertThat(direct.read(KEY)).isEmpty();
    }

    @Test
    void throwsWhenTheOutcomeIsUnknown() throws IOException {
        String first = store.createOnce(KEY, content("1")).orElseThrow();
        faults.add(new Fault.ResetBeforeRequest());
        faults.add(new Fault.ResetBeforeRequest());
        faults.add(new Fault.Race());
        direct.delete(KEY);

        assertThatThrownBy(() -> store.replaceIfMatch(KEY, first, content("2")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot tell whether 'catalog/digits.json' was written")
                .hasMessageEndingWith("Read it again before you go on.");
    }

    @Test
    void replacesObjectsOfOtherTools() throws IOException {
        direct.write(KEY, content("by hand"));
        String etag = store.stat(KEY).orElseThrow().etag();

        faults.add(new Fault.ResponseLost());
        assertThat(store.replaceIfMatch(KEY, etag, content("ours"))).isPresent();
        assertThat(text()).isEqualTo("ours");
    }

    private String text() {
        return new String(direct.read(KEY).orElseThrow().bytes(), UTF_8);
    }

    private static Content content(String text) {
        return Content.of(text.getBytes(UTF_8));
    }
}
