package io.knabla.runtime.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.knabla.runtime.inference.InferenceProtocols;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.StartPhases;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a model of another kind, with a protocol of its own that streams, plugs into a replica. */
@Timeout(120)
public class ToyProtocolTest {
    private static final ReplicaSettings SETTINGS = ReplicaSettings.of("m", "3", "", 1 << 20, Duration.ofSeconds(60));
    private static final StartPhases PHASES = new StartPhases(OptionalLong.empty(), 1, 2, 3);

    private final ReplicaState state = new ReplicaState(SETTINGS);
    private final CountEndpoints.Counter counter = new CountEndpoints.Counter();
    private final Replica replica = new Replica(state, List.of(new CountEndpoints(state)));
    private int port;

    @BeforeEach
    void listen() throws IOException {
        port = replica.listen("127.0.0.1", 0);
    }

    @AfterEach
    void close() {
        replica.close();
        counter.leave.release(100);
    }

    /** A connection with a request on it whose answer is read piece by piece. */
    private record Call(Socket socket) implements AutoCloseable {
        static Call of(int port, String head, String body) throws IOException {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            String request =
                    "%s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s".formatted(head, body.length(), body);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new Call(socket);
        }

        String readTo(String end) throws IOException {
            var text = new StringBuilder();
            while (text.indexOf(end) < 0) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    throw new IOException("ended after: " + text);
                }
                text.append((char) next);
            }
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private Call count(int from) throws IOException {
        return Call.of(port, "POST /count", Integer.toString(from));
    }

    private String get(String path) throws IOException {
        try (var call = Call.of(port, "GET " + path, "")) {
            call.socket.shutdownOutput();
            return new String(call.socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void sendsEachPieceAsSoonAsItIsThere() throws Exception {
        replica.serve(counter);
        try (var call = count(3)) {
            assertThat(call.readTo("data: 3\n\n"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: text/event-stream\r\n", "Knabla-Version: 3\r\n");
            assertThat(get("/metrics")).contains("knabla_running_request_count{model=\"m\",version=\"3\"} 1\n");
            counter.leave.release();
            call.readTo("data: 2\n\n");
            counter.leave.release(2);
            call.readTo("data: 1\n\n");
            call.readTo("\r\n0\r\n\r\n");
        }
        await().until(() -> replica.usage().succeeded() == 1 && counter.running() == 0);
        assertThat(replica.usage().elements()).isEqualTo(3);
        assertThat(get("/metrics")).contains("nv_inference_exec_count{model=\"m\",version=\"3\"} 3\n");
    }

    @Test
    void stopsComputingWhenItsClientHasLeft() throws Exception {
        replica.serve(counter);
        try (var call = count(1000)) {
            counter.leave.release();
            call.readTo("data: 999\n\n");
        }
        await().until(() -> counter.running() == 0);
        assertThat(counter.runs()).isEqualTo(1);
        assertThat(counter.waiting()).isZero();
        assertThat(replica.usage().succeeded()).isZero();
    }

    @Test
    void waitsForItsModelAndReportsTheColdStart() throws Exception {
        counter.leave.release(1);
        try (var call = count(1)) {
            assertThat(get("/v2/health/ready")).startsWith("HTTP/1.1 503 ");
            // Its body is read by now: it waits for the model.
            replica.serve(counter, PHASES);
            assertThat(call.readTo("data: 1\n\n"))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Knabla-Version: 3\r\n");
            assertThat(get("/v2/health/ready")).startsWith("HTTP/1.1 200 ");
            assertThat(get("/metrics")).contains("knabla_start_phase_milliseconds");
        }
    }

    @Test
    void itsPathsAndMethodsAreKnownToTheReplica() throws Exception {
        assertThat(get("/count")).startsWith("HTTP/1.1 405 ").contains("Allow: POST\r\n");
        assertThat(get("/counts")).startsWith("HTTP/1.1 404 ");
        assertThat(get("/v2/models/m")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void isReplacedIfARunOfItIsStuck() throws Exception {
        replica.serve(counter);
        assertThat(get("/v2/health/live")).startsWith("HTTP/1.1 200 ");
        counter.overdue = SETTINGS.stuckAfter();
        assertThat(get("/v2/health/live")).startsWith("HTTP/1.1 503 ");
    }

    @Test
    void aDrainLetsTheStreamEndAndTakesNoFurtherOne() throws Exception {
        replica.serve(counter);
        try (var call = count(2)) {
            call.readTo("data: 2\n\n");
            var drain = CompletableFuture.runAsync(replica::drain);
            await().until(() -> get("/v2/health/ready").startsWith("HTTP/1.1 503 "));
            assertThat(drain).isNotDone();
            counter.leave.release(2);
            call.readTo("data: 1\n\n");
            call.readTo("\r\n0\r\n\r\n");
            drain.join();
        }
    }

    @Test
    void protocolsOfTensorsFindNothingToCall() throws Exception {
        replica.close();
        var both = new ReplicaState(SETTINGS);
        List<Endpoints> protocols = new ArrayList<>(InferenceProtocols.of(both));
        protocols.add(new CountEndpoints(both));
        try (var mixed = new Replica(both, protocols)) {
            port = mixed.listen("127.0.0.1", 0);
            mixed.serve(counter);
            for (String path : List.of("/v2/models/m", "/v2/models/m/config", "/openapi.json")) {
                assertThat(get(path)).startsWith("HTTP/1.1 404 ").contains(path + ": the model that is served here");
            }
            for (String path : List.of("/v2/models/m/ready", "/v2/models/m/stats", "/v1/models/m", "/v2")) {
                assertThat(get(path)).startsWith("HTTP/1.1 200 ");
            }
            counter.leave.release(1);
            try (var call = count(1)) {
                call.readTo("data: 1\n\n");
            }
        }
    }

    /** In a class loader that has not even the engine's classes. */
    @Test
    void needsNoOnnxRuntime() throws Exception {
        try (var bare = new URLClassLoader(classPathWithoutEngine(), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> bare.loadClass("ai.onnxruntime.OrtEnvironment"))
                    .isInstanceOf(ClassNotFoundException.class);
            Class<?> own = bare.loadClass(ToyProtocolTest.class.getName());
            assertThat(own).isNotSameAs(ToyProtocolTest.class);
            assertThat(own.getMethod("countToTwo").invoke(null)).asString().contains("data: 2\n", "data: 1\n");
        }
    }

    private static URL[] classPathWithoutEngine() throws IOException {
        var urls = new ArrayList<URL>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("onnxruntime")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }

    /** Called by reflection, in another class loader. */
    public static String countToTwo() throws IOException {
        var test = new ToyProtocolTest();
        test.listen();
        test.replica.serve(test.counter);
        test.counter.leave.release(2);
        try (var call = test.count(2)) {
            return call.readTo("\r\n0\r\n\r\n");
        } finally {
            test.close();
        }
    }
}
