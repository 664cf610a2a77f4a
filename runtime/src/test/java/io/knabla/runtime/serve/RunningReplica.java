package io.knabla.runtime.serve;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.assemble.SampleUnit;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.units.TestReplica;
import io.knabla.storage.setup.Stores;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;

/** A real replica in this process, with real engine and sockets, serving a model of the test. */
final class RunningReplica implements AutoCloseable {
    static final EngineSettings PLAIN = EngineSettings.DEFAULTS;
    static final int MAX_BODY = 1 << 20;
    private static final Duration DRAIN = Duration.ofSeconds(20);

    private final HttpClient client = HttpClient.newHttpClient();
    private final SampleUnit unit;
    private final Engine engine;
    final GraphManifest manifest;
    final Replica replica;
    final int port;

    RunningReplica(ModelProto model, EngineSettings settings) throws IOException {
        this(model, settings, "");
    }

    RunningReplica(ModelProto model, EngineSettings settings, String token) throws IOException {
        this(model, settings, ReplicaSettings.of("m", "3", token, MAX_BODY, DRAIN));
        replica.serve(model());
    }

    /** Starts a replica that is not live from {@code stuckAfter} on after a run was told to stop. */
    static RunningReplica notLiveAfter(Duration stuckAfter, ModelProto model, EngineSettings settings)
            throws IOException {
        var replica = new RunningReplica(
                model, settings, new ReplicaSettings("m", "3", "", MAX_BODY, DRAIN, stuckAfter, false));
        replica.replica.serve(replica.model());
        return replica;
    }

    static RunningReplica withSharedMemory(ModelProto model) throws IOException {
        var replica = new RunningReplica(
                model, PLAIN, ReplicaSettings.of("m", "3", "", MAX_BODY, DRAIN).withSharedMemory());
        replica.replica.serve(replica.model());
        return replica;
    }

    /** Starts a replica that takes larger bodies. */
    static RunningReplica withBodies(int bytes, ModelProto model) throws IOException {
        var replica = new RunningReplica(model, PLAIN, ReplicaSettings.of("m", "3", "", bytes, DRAIN));
        replica.replica.serve(replica.model());
        return replica;
    }

    /** Starts a replica that listens but has no model yet. */
    static RunningReplica withoutModel(ModelProto model) throws IOException {
        return new RunningReplica(model, PLAIN, ReplicaSettings.of("m", "3", "", MAX_BODY, DRAIN));
    }

    private RunningReplica(ModelProto model, EngineSettings settings, ReplicaSettings served) throws IOException {
        unit = SampleUnit.of(model);
        Path folder;
        try (var store = Stores.openToRead(unit.environment().get("KNABLA_STORE"))) {
            folder = new UnitStore(store).materialise(unit.unit(), unit.home().resolve("cache"));
        }
        manifest = UnitStore.readMaterialised(folder).graphs();
        engine = Engine.open(folder, manifest, settings);
        replica = TestReplica.replica(served);
        port = replica.listen("127.0.0.1", 0);
    }

    static EngineSettings settings(int concurrency, int queue, int timeoutMillis) {
        return new EngineSettings(concurrency, queue, Duration.ofMillis(timeoutMillis), 1, Duration.ZERO, 1);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> infer(String json) throws Exception {
        return client.send(request("/v2/models/m/infer").POST(body(json)).build(), BodyHandlers.ofString());
    }

    HttpResponse<byte[]> infer(byte[] body, int json) throws Exception {
        return client.send(
                request("/v2/models/m/infer")
                        .header("Inference-Header-Content-Length", Integer.toString(json))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
    }

    static BodyPublisher body(String json) {
        return BodyPublishers.ofString(json.replace('\'', '"'));
    }

    HttpClient client() {
        return client;
    }

    Engine engine() {
        return engine;
    }

    EngineModel model() {
        return new EngineModel(engine, manifest);
    }

    @Override
    public void close() throws IOException {
        replica.close();
        client.close();
        engine.close();
        unit.close();
    }
}
