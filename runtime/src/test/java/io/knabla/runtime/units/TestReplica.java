package io.knabla.runtime.units;

import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.engine.Checkpoints;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.inference.EngineModel;
import io.knabla.runtime.inference.InferenceProtocols;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.training.StateObject;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A real replica in this process that serves a test unit; the caller keeps ownership of the unit. */
public final class TestReplica implements AutoCloseable {
    public static final ObjectKey STATE = new ObjectKey("states/default/m/1.safetensors");

    private static final int MAX_BODY = 1 << 20;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Engine engine;
    private final Replica replica;
    private final int port;

    public TestReplica(TestUnit unit) throws IOException {
        this(unit, EngineSettings.DEFAULTS, state(unit));
    }

    public TestReplica(TestUnit unit, EngineSettings settings, Checkpoints state) throws IOException {
        GraphManifest manifest = unit.manifest();
        engine = Engine.open(unit.folder(), manifest, settings, state);
        replica = replica(ReplicaSettings.of("m", "1", "", MAX_BODY, Duration.ofSeconds(20)));
        port = replica.listen("127.0.0.1", 0);
        replica.serve(new EngineModel(engine, manifest));
    }

    /** A replica that speaks all protocols of models that are called with tensors. */
    public static Replica replica(ReplicaSettings settings) {
        var state = new ReplicaState(settings);
        return new Replica(state, InferenceProtocols.of(state));
    }

    /** Checkpoints of the unit in the unit's store. */
    public static Checkpoints state(TestUnit unit) {
        return unit.manifest()
                .training()
                .map(training -> new StateObject(
                        unit.store(),
                        STATE,
                        unit.unit(),
                        training,
                        unit.folder().resolve(UnitStore.INITIAL)))
                .orElse(null);
    }

    public Engine engine() {
        return engine;
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    /** @param json with ' for " */
    public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.ofString(json.replace('\'', '"'))));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> infer(String json) throws IOException, InterruptedException {
        return post("/v2/models/m/infer", json);
    }

    @Override
    public void close() {
        replica.close();
        client.close();
        engine.close();
    }
}
