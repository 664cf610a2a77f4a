package io.knabla.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitAssignment;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.benchmark.TinyModel;
import io.knabla.runtime.http.HttpLimits;
import io.knabla.runtime.http.HttpServer;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs a pool with members that are processes. */
class PoolFrontTest {
    private static final String BODY =
            "{\"inputs\":[{\"name\":\"a\",\"shape\":[1,4],\"datatype\":\"FP32\",\"data\":[1.5,-2,3,4]}]}";

    @TempDir
    Path folder;

    private ObjectStore store;
    private String location;
    private Members members;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        location = folder.resolve("store").toUri().toString();
        store = Stores.open(location);
        Path temp = Files.createDirectory(folder.resolve("tmp"));
        var command = new MemberCommand(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.knabla.runtime.Main"),
                temp);
        members = new Members(store, folder.resolve("cache"), 600L << 20, new SpareMembers(command, 1));
        members.start();
        var front = new PoolFront("team", new Assignments(store, "team", System::nanoTime), members);
        server = HttpServer.open(new InetSocketAddress("127.0.0.1", 0), front, HttpLimits.forBodies(1 << 20));
    }

    @AfterEach
    void stop() {
        server.close();
        members.close();
        store.close();
    }

    private void assign(String function, String unit) throws IOException {
        assign(function, unit, 30_000);
    }

    private void assign(String function, String unit, int timeoutMillis) throws IOException {
        var environment = Map.of(
                "KNABLA_UNIT", unit,
                "KNABLA_STORE", location,
                "KNABLA_MODEL_NAME", function,
                "KNABLA_MAX_BODY_BYTES", "200",
                "KNABLA_TIMEOUT_MS", Integer.toString(timeoutMillis));
        store.write(UnitAssignment.key("team", function), Content.of(new UnitAssignment(environment).bytes()));
    }

    private String unit() throws IOException {
        byte[] model = TinyModel.unary("Relu");
        Blob graph = new Blob(Sha256.of(model), model.length);
        List<Long> shape = List.of(-1L, 4L);
        List<String> names = List.of("N", "");
        var units = new UnitStore(store);
        units.writeBlob(graph, Content.of(model));
        Digest digest = units.write(new GraphManifest(
                GraphManifest.SCHEMA,
                graph,
                List.of(),
                List.of(new TensorSpec("a", DataType.FP32, shape, names)),
                List.of(new TensorSpec("y", DataType.FP32, shape, names)),
                true,
                TinyModel.VERSION));
        return digest.value();
    }

    private Socket connection() throws IOException {
        var socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    private String call(String host, String path) throws IOException {
        try (var socket = connection()) {
            String method = path.endsWith("infer") ? "POST" : "GET";
            String body = path.endsWith("infer") ? BODY : "";
            socket.getOutputStream()
                    .write("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(method, path, host, body.length(), body)
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Sends a request's head up to its framing, and what follows; the connection stays open. */
    private Socket open(String rest) throws IOException {
        Socket socket = connection();
        String head = "POST /v2/models/one/infer HTTP/1.1\r\nHost: one.team.example.com\r\n";
        socket.getOutputStream().write((head + rest).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        try (socket) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String infer(String function) throws IOException {
        return call(function + ".team.example.com", "/v2/models/" + function + "/infer");
    }

    @Test
    void answersForEachFunctionByAProcessOfItsOwn() throws IOException {
        String unit = unit();
        assign("one", unit);
        assign("two", unit);
        assign("bad", "sha256:" + "0".repeat(64));

        assertThat(infer("one")).contains("200 OK", "Knabla-Start: pooled", "fetch;dur=");
        assertThat(infer("one")).contains("200 OK", "Knabla-Start: warm");
        assertThat(infer("bad")).contains("503", "Retry-After", "pods of its own");
        assertThat(infer("two")).contains("200 OK", "Knabla-Start: pooled");
        assertThat(infer("one")).contains("200 OK", "Knabla-Start: warm");
        assertThat(infer("none")).contains("503", "does not sleep in this pool");
        assertThat(call("10.0.0.1:8080", PoolFront.REPORT))
                .contains("\"one\":{\"recent\":3,\"refused\":false}", "\"bad\":{\"recent\":1,\"refused\":true}");
        assertThat(call("10.0.0.1:8080", "/v2/health/ready")).contains("200 OK");
    }

    @Test
    void startsAgainWhatEnded() throws IOException {
        assign("one", unit());
        assertThat(infer("one")).contains("200 OK");

        // The fork's only children are the members of its pool.
        List<ProcessHandle> processes = ProcessHandle.current().children().toList();
        processes.forEach(ProcessHandle::destroyForcibly);
        processes.forEach(process -> process.onExit().join());

        assertThat(infer("one")).contains("200 OK", "Knabla-Start: pooled");
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: 201, {, 413, the body is larger than 200 bytes; send less",
        "Transfer-Encoding: chunked, c9, 413, the body is larger than 200 bytes; send less",
        "Transfer-Encoding: chunked, none, 400, malformed chunk"
    })
    void refusesBodiesWithASentence(String framing, String body, int status, String sentence) throws IOException {
        assign("one", unit());

        assertThat(answer(open(framing + "\r\n\r\n" + body + "\r\n")))
                .startsWith("HTTP/1.1 " + status)
                .contains(sentence);
    }

    @Test
    void answersForAProcessThatDoesNot() throws Exception {
        assign("one", unit(), 1000);
        assertThat(call("one.team.example.com", "/v2")).contains("200 OK");
        for (ProcessHandle member : ProcessHandle.current().children().toList()) {
            new ProcessBuilder("sh", "-c", "kill -STOP " + member.pid()).start().waitFor();
        }

        Socket halfABody = open("Content-Length: 20\r\n\r\n{");
        assertThat(infer("one")).contains("504 ", "no answer within 1000 ms (spec.timeout)");
        assertThat(answer(halfABody)).contains("408 ", "the request's body did not arrive within");
    }
}
