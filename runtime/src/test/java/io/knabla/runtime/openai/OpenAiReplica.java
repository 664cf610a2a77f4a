package io.knabla.runtime.openai;

import io.knabla.runtime.inference.InferenceProtocols;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.Replica;
import io.knabla.runtime.serve.ReplicaSettings;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ServedModel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A replica on a socket of this process that serves model "m". */
public final class OpenAiReplica implements AutoCloseable {
    private static final int MAX_BODY = 1 << 25;

    public final HttpClient client = HttpClient.newHttpClient();
    final Replica replica;
    public final int port;

    OpenAiReplica() throws IOException {
        var state = new ReplicaState(ReplicaSettings.of("m", "1", "", MAX_BODY, Duration.ofSeconds(20)));
        List<Endpoints> protocols = new ArrayList<>(List.of(new OpenAiEndpoints(state)));
        protocols.addAll(InferenceProtocols.of(state));
        replica = new Replica(state, protocols);
        port = replica.listen("127.0.0.1", 0);
    }

    public static OpenAiReplica of(ServedModel model) throws IOException {
        var replica = new OpenAiReplica();
        replica.replica.serve(model);
        return replica;
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    public HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    /** @param json with single quotes for double ones */
    HttpRequest post(String path, String json) {
        return request(path)
                .POST(BodyPublishers.ofString(json.replace('\'', '"')))
                .build();
    }

    public HttpResponse<String> call(String path, String json) throws Exception {
        return client.send(post(path, json), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        client.shutdownNow();
        replica.close();
    }
}
