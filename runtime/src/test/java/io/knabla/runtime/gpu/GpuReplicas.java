package io.knabla.runtime.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.runtime.assemble.ReplicaProcess;
import io.knabla.runtime.units.TestUnit;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Replicas from the assembled folder on a fake GPU of each test's own, and a unit of 200 KB for them. */
abstract class GpuReplicas {
    private static final Path FOLDER = Path.of("target/replica").toAbsolutePath();

    private final HttpClient client = HttpClient.newHttpClient();
    FakeCuda fake;
    TestUnit unit;

    @BeforeEach
    void open() throws IOException {
        fake = FakeCuda.open();
        unit = TestUnit.of(Onnx.mlp(64, 400, 64), "batching: {maxSize: 8}");
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        unit.close();
        fake.close();
    }

    ReplicaProcess start(Map<String, String> more, String... mode) throws IOException {
        Map<String, String> environment = new HashMap<>(fake.replica(unit.environment()));
        environment.putAll(more);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + FOLDER.resolve("replica.args")));
        command.addAll(List.of(mode));
        return new ReplicaProcess(command, environment);
    }

    static int ready(ReplicaProcess replica) throws IOException {
        int port = replica.port();
        assertThat(replica.event()).startsWith("{\"event\":\"ready\"");
        return port;
    }

    HttpResponse<String> call(int port, int rows) throws IOException, InterruptedException {
        String data = String.join(",", Collections.nCopies(rows * 64, "0"));
        String body = "{\"inputs\":[{\"name\":\"x\",\"shape\":[%d,64],\"datatype\":\"FP32\",\"data\":[%s]}]}"
                .formatted(rows, data);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v2/models/m/infer".formatted(port)))
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    String metrics(int port) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port)))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    /** Bytes of device memory after the last change. */
    long held() throws IOException {
        String last = fake.log().stream()
                .filter(line -> line.startsWith("malloc") || line.startsWith("free"))
                .reduce((_, next) -> next)
                .orElseThrow();
        return Long.parseLong(last.substring(last.lastIndexOf(' ') + 1));
    }
}
