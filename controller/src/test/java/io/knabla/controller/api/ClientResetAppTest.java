package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.controller.benchmark.MachineBenchmark;
import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resets connections in the middle of uploads and downloads: a client may leave, so no log calls it an error. */
@QuarkusTest
@QuarkusTestResource(TemporaryHome.class)
class ClientResetAppTest {
    private static final String API = "/api/v1";
    private static final int SENT = 100_000;

    @TestHTTPResource("/")
    URI address;

    @Inject
    Home home;

    private final Logger mappers = Logger.getLogger(ExceptionMappers.class.getName());
    private final Queue<LogRecord> records = new ConcurrentLinkedQueue<>();
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord told) {
            records.add(told);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void record() {
        mappers.setLevel(Level.FINE);
        Logger.getLogger("").addHandler(recorder);
    }

    @AfterEach
    void forget() {
        Logger.getLogger("").removeHandler(recorder);
        mappers.setLevel(null);
    }

    /** Sends a request and resets its connection once this has come true. */
    private void reset(String request, int bodyBytes, int readBytes, Runnable awaited) throws IOException {
        try (var socket = new Socket()) {
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), 5_000);
            socket.setSoTimeout(5_000);
            socket.setSoLinger(true, 0);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[bodyBytes]);
            assertThat(socket.getInputStream().readNBytes(readBytes)).hasSize(readBytes);
            awaited.run();
        }
    }

    private String head(String method, String path, String more) {
        return "%s %s HTTP/1.1\r\nHost: localhost:%d\r\n%s\r\n".formatted(method, path, address.getPort(), more);
    }

    /**
     * Without the measurement of the machine, which ends at any time after the start and here has no replica to run.
     */
    private List<String> alarms() {
        return records.stream()
                .filter(told -> told.getLevel().intValue() >= Level.WARNING.intValue())
                .filter(told -> !told.getLoggerName().equals(MachineBenchmark.class.getName()))
                .map(told -> told.getLoggerName() + ": " + told.getMessage())
                .toList();
    }

    @Test
    void anUploadThatBreaksOffIsNoErrorAndCanBeResumed() throws IOException {
        byte[] model = new byte[3 * SENT];
        Digest digest = Sha256.of(model);

        reset(
                head("PUT", API + "/models/" + digest, "Content-Length: %d\r\n".formatted(3 * SENT)),
                SENT,
                0,
                () -> await().untilAsserted(() -> assertThat(offset(digest)).isEqualTo(SENT)));

        await().untilAsserted(() -> given().header(
                        "Content-Range", "bytes %d-%d/%d".formatted(SENT, 3 * SENT - 1, 3 * SENT))
                .body(Arrays.copyOfRange(model, SENT, 3 * SENT))
                .put(API + "/models/" + digest)
                .then()
                .statusCode(201));
        assertThat(parts()).isEmpty();
        assertThat(alarms()).isEmpty();
    }

    /** The second cannot be resumed. */
    @Test
    void ofTwoUploadsOfOneFileThatBreakOffOnlyTheFirstLeavesAPart() throws IOException {
        Digest digest = Sha256.of(new byte[4 * SENT]);
        String upload = head("PUT", API + "/models/" + digest, "Content-Length: %d\r\n".formatted(4 * SENT));

        reset(upload, SENT, 0, () -> {
            await().untilAsserted(() -> assertThat(offset(digest)).isEqualTo(SENT));
            try {
                reset(
                        upload,
                        SENT,
                        0,
                        () -> await().untilAsserted(() -> assertThat(parts()).hasSize(2)));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });

        await().untilAsserted(() -> assertThat(parts()).containsExactly(digest.hex() + ".part"));
        assertThat(alarms()).isEmpty();
        Files.delete(home.uploads().resolve(digest.hex() + ".part"));
    }

    private List<String> parts() throws IOException {
        try (Stream<Path> files = Files.list(home.uploads())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private long offset(Digest digest) {
        return Long.parseLong(given().head(API + "/models/" + digest).header("Upload-Offset"));
    }

    @Test
    void aDownloadThatBreaksOffIsNoError() throws IOException {
        deploy();
        logs();

        reset(head("GET", API + "/functions/default/reset/logs?tail=100000&follow=true", ""), 0, 500, () -> {});
        reset(head("GET", API + "/functions/default/reset/logs?tail=100000", ""), 0, 500, () -> {});

        // The server writes on its own threads; what it finds out first, a closed reader or a failed write, is chance.
        await().during(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(alarms()).isEmpty());
    }

    /** Far more than the buffers of two sockets hold. */
    private void logs() throws IOException {
        Path folder = Files.createDirectories(home.logs().resolve("default/reset"));
        List<String> lines = Collections.nCopies(1_000, "a line ".repeat(140));
        for (int i = 0; i < 30; i++) {
            Files.write(folder.resolve("reset-v1-test" + i + ".log"), lines);
        }
    }

    private static void deploy() throws IOException {
        byte[] model = Files.readAllBytes(Path.of("../functions/samples/add-sub/add-sub.onnx"));
        String digest = Sha256.of(model).value();
        given().body(model).put(API + "/models/" + digest);
        given().contentType("application/yaml")
                .body("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata: {name: reset}
                        spec: {model: %s}
                        """.formatted(digest).getBytes(StandardCharsets.UTF_8))
                .post(API + "/functions");
    }
}
