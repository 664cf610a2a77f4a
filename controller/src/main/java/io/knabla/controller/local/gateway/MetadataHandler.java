package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Version;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Unavailable;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.ModelMetadata;
import io.knabla.functions.unit.UnitManifest;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Answers server metadata, model metadata, health and repository index requests, without starting a replica. */
final class MetadataHandler {
    private static final String SERVER = "knabla";
    private static final String SERVER_VERSION = "0.1.0";
    private static final int MAX_MANIFESTS = 1_000;

    private final Vertx vertx;
    private final Routes routes;
    private final Autoscaler autoscaler;
    private final ManifestSource manifests;
    private final Map<Digest, UnitManifest> known = new ConcurrentHashMap<>();

    MetadataHandler(Vertx vertx, Routes routes, Autoscaler autoscaler, ManifestSource manifests) {
        this.vertx = vertx;
        this.routes = routes;
        this.autoscaler = autoscaler;
        this.manifests = manifests;
    }

    void server(RequestTarget.Server what, HttpServerRequest request) {
        HttpServerResponse response = request.response();
        boolean post = what == RequestTarget.Server.INDEX;
        if (post != request.method().equals(HttpMethod.POST)) {
            String allowed = post ? "POST" : "GET";
            response.putHeader("Allow", allowed);
            Answers.error(response, 405, "use %s here, not %s".formatted(allowed, request.method()));
            return;
        }
        switch (what) {
            case METADATA ->
                Answers.json(
                        response,
                        200,
                        new JsonObject()
                                .put("name", SERVER)
                                .put("version", SERVER_VERSION)
                                .put("extensions", new JsonArray(List.of("binary_tensor_data", "model_repository")))
                                .toBuffer());
            case LIVE, READY ->
                Answers.json(
                        response,
                        200,
                        new JsonObject().put("live", true).put("ready", true).toBuffer());
            case INDEX -> Answers.json(response, 200, index().toBuffer());
        }
    }

    /** Lists every version of the default namespace, which the plain {@code /v2/models} addresses. */
    private JsonArray index() {
        JsonArray models = new JsonArray();
        routes.all().stream()
                .filter(route -> route.record().id().namespace().equals(RequestTarget.DEFAULT_NAMESPACE))
                .sorted(Comparator.comparing(route -> route.record().id().name()))
                .forEach(route -> route.queues().values().stream()
                        .sorted(Comparator.comparing(queue -> queue.key.version()))
                        .forEach(queue -> models.add(entry(queue))));
        return models;
    }

    private JsonObject entry(VersionQueue queue) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        return new JsonObject()
                .put("name", queue.key.function().name())
                .put("version", queue.versionHeader)
                .put("state", trouble.isPresent() ? "UNAVAILABLE" : "READY")
                .put("reason", trouble.map(Unavailable::message).orElse(""));
    }

    /** A version scaled to zero is ready: a request to it is answered. */
    void ready(VersionQueue queue, HttpServerResponse response) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        response.putHeader(Headers.VERSION, queue.versionHeader);
        JsonObject body = new JsonObject()
                .put("name", queue.key.function().name())
                .put("live", true)
                .put("ready", trouble.isEmpty());
        trouble.ifPresent(t -> {
            body.put("error", t.message());
            Answers.retryAfter(response, t.retryAfter());
        });
        Answers.json(response, trouble.isEmpty() ? 200 : 503, body.toBuffer());
    }

    /** The same as {@link #ready}, in the format that Tesseract clients expect. */
    void health(VersionQueue queue, HttpServerResponse response) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        response.putHeader(Headers.VERSION, queue.versionHeader);
        JsonObject body = new JsonObject().put("status", trouble.isEmpty() ? "ok" : "error");
        trouble.ifPresent(t -> {
            body.put("error", t.message());
            Answers.retryAfter(response, t.retryAfter());
        });
        Answers.json(response, trouble.isEmpty() ? 200 : 503, body.toBuffer());
    }

    void metadata(VersionQueue queue, HttpServerResponse response) {
        UnitManifest manifest = known.get(queue.version.unit());
        if (manifest != null) {
            metadata(queue, manifest, response);
            return;
        }
        vertx.executeBlocking(() -> manifests.read(queue.version.unit()), false)
                .onSuccess(read -> {
                    if (known.size() >= MAX_MANIFESTS) {
                        known.clear();
                    }
                    known.put(queue.version.unit(), read);
                    metadata(queue, read, response);
                })
                .onFailure(error -> Answers.error(
                        response, 500, "cannot read the manifest of %s: %s".formatted(queue.key, error.getMessage())));
    }

    private void metadata(VersionQueue queue, UnitManifest manifest, HttpServerResponse response) {
        List<String> versions = routes.find(queue.key.function())
                .map(route -> route.record().versions().stream()
                        .map(Version::number)
                        .map(String::valueOf)
                        .toList())
                .orElse(List.of(String.valueOf(queue.key.version())));
        response.putHeader(Headers.VERSION, queue.versionHeader);
        Answers.json(
                response,
                200,
                Buffer.buffer(new ModelMetadata(queue.key.function().name(), versions, manifest).json()));
    }
}
