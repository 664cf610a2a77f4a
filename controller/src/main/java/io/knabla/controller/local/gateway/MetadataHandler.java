package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Unavailable;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.ModelMetadata;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.http.HttpResponse;
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

    private final Routes routes;
    private final Autoscaler autoscaler;
    private final ManifestSource manifests;
    private final Map<Digest, UnitManifest> known = new ConcurrentHashMap<>();

    MetadataHandler(Routes routes, Autoscaler autoscaler, ManifestSource manifests) {
        this.routes = routes;
        this.autoscaler = autoscaler;
        this.manifests = manifests;
    }

    HttpResponse server(RequestTarget.Server what, String method) {
        String allowed = what == RequestTarget.Server.INDEX ? "POST" : "GET";
        if (!method.equals(allowed)) {
            return Answers.wrongMethod(allowed, method);
        }
        return switch (what) {
            case METADATA -> {
                ObjectNode server = object().put("name", SERVER).put("version", SERVER_VERSION);
                server.putArray("extensions").add("binary_tensor_data").add("model_repository");
                yield Answers.json(200, server);
            }
            case LIVE, READY -> Answers.json(200, object().put("live", true).put("ready", true));
            case INDEX -> Answers.json(200, index());
        };
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Lists every version of the default namespace, which the plain {@code /v2/models} addresses. */
    private ArrayNode index() {
        ArrayNode models = JsonNodeFactory.instance.arrayNode();
        routes.all().stream()
                .filter(route -> route.record().id().namespace().equals(RequestTarget.DEFAULT_NAMESPACE))
                .sorted(Comparator.comparing(route -> route.record().id().name()))
                .forEach(route -> route.queues().values().stream()
                        .sorted(Comparator.comparing(queue -> queue.key.version()))
                        .forEach(queue -> models.add(entry(queue))));
        return models;
    }

    private ObjectNode entry(VersionQueue queue) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        return object().put("name", queue.key.function().name())
                .put("version", queue.versionHeader)
                .put("state", trouble.isPresent() ? "UNAVAILABLE" : "READY")
                .put("reason", trouble.map(Unavailable::message).orElse(""));
    }

    /** A version scaled to zero is ready: a request to it is answered. */
    HttpResponse ready(VersionQueue queue) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        return state(
                queue,
                trouble,
                object().put("name", queue.key.function().name())
                        .put("live", true)
                        .put("ready", trouble.isEmpty()));
    }

    /** The same as {@link #ready}, in the format that Tesseract clients expect. */
    HttpResponse health(VersionQueue queue) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        return state(queue, trouble, object().put("status", trouble.isEmpty() ? "ok" : "error"));
    }

    private static HttpResponse state(VersionQueue queue, Optional<Unavailable> trouble, ObjectNode body) {
        trouble.ifPresent(t -> body.put("error", t.message()));
        String retry = trouble.map(t -> Answers.retryAfter(t.retryAfter())).orElse("");
        return Answers.json(trouble.isEmpty() ? 200 : 503, body).withHeaders(version(queue) + retry);
    }

    private static String version(VersionQueue queue) {
        return Headers.VERSION + ": " + queue.versionHeader + "\r\n";
    }

    HttpResponse metadata(VersionQueue queue) {
        UnitManifest manifest = known.get(queue.version.unit());
        if (manifest == null) {
            try {
                manifest = manifests.read(queue.version.unit());
            } catch (RuntimeException failed) {
                return Answers.error(
                        500, "cannot read the manifest of %s: %s".formatted(queue.key, failed.getMessage()));
            }
            if (known.size() >= MAX_MANIFESTS) {
                known.clear();
            }
            known.put(queue.version.unit(), manifest);
        }
        byte[] json = new ModelMetadata(queue.key.function().name(), versions(queue), manifest).json();
        return HttpResponse.json(200, json).withHeaders(version(queue));
    }

    private List<String> versions(VersionQueue queue) {
        return routes.find(queue.key.function())
                .map(route -> route.record().versions().stream()
                        .map(Version::number)
                        .map(String::valueOf)
                        .toList())
                .orElse(List.of(String.valueOf(queue.key.version())));
    }
}
