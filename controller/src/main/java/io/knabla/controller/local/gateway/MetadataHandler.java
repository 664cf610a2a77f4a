package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.controller.scale.Unavailable;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.ModelConfig;
import io.knabla.functions.unit.ModelMetadata;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.paths.TextPaths;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Answers server metadata, model metadata, health and repository index requests, without starting a replica. */
final class MetadataHandler {
    private static final String SERVER = "knabla";
    private static final String SERVER_VERSION = "0.1.0";
    private static final int MAX_MANIFESTS = 1_000;

    private final Routes routes;
    private final Autoscaler autoscaler;
    private final ManifestSource manifests;
    private final boolean sharedMemory;
    private final Map<Digest, GraphManifest> known = new ConcurrentHashMap<>();

    MetadataHandler(Routes routes, Autoscaler autoscaler, ManifestSource manifests, boolean sharedMemory) {
        this.routes = routes;
        this.autoscaler = autoscaler;
        this.manifests = manifests;
        this.sharedMemory = sharedMemory;
    }

    /** @param root the function whose root the path lies below; empty for the platform's */
    HttpResponse server(ServerAction what, String method, Optional<FunctionId> root) {
        if (!method.equals(what.method())) {
            return Answers.wrongMethod(what.method(), method);
        }
        return switch (what) {
            case METADATA -> {
                ObjectNode server = object().put("name", SERVER).put("version", SERVER_VERSION);
                ArrayNode extensions = server.putArray("extensions")
                        .add("binary_tensor_data")
                        .add("model_repository")
                        .add("model_configuration")
                        .add("statistics");
                if (sharedMemory) {
                    extensions.add("system_shared_memory");
                }
                yield Answers.json(200, server);
            }
            case LIVE, READY -> Answers.json(200, object().put("live", true).put("ready", true));
            case STATISTICS -> Answers.json(200, statistics(ordered().flatMap(FunctionRoute::ordered)));
            case V1_MODELS ->
                Answers.json(
                        200, models(root.map(id -> routes.find(id).stream()).orElseGet(this::ordered)));
            case INDEX -> Answers.json(200, index());
        };
    }

    /** In one answer what clients of KServe and of OpenAI read. */
    private static ObjectNode models(Stream<FunctionRoute> functions) {
        ObjectNode answer = object();
        ArrayNode names = answer.putArray("models");
        ArrayNode data = answer.put("object", "list").putArray("data");
        functions.forEach(route -> {
            String name = route.servedName().orElse(route.record().id().name());
            names.add(name);
            data.addObject()
                    .put("id", name)
                    .put("object", "model")
                    .put("created", route.record().latest().created().getEpochSecond())
                    .put("owned_by", "knabla");
        });
        return answer;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Lists every version of the default namespace, which the plain {@code /v2/models} addresses. */
    private ArrayNode index() {
        ArrayNode models = JsonNodeFactory.instance.arrayNode();
        ordered().flatMap(FunctionRoute::ordered).forEach(queue -> models.add(entry(queue)));
        return models;
    }

    private Stream<FunctionRoute> ordered() {
        return routes.all().stream()
                .filter(route -> route.record().id().namespace().equals(RequestTarget.DEFAULT_NAMESPACE))
                .sorted(Comparator.comparing(route -> route.record().id().name()));
    }

    private static ObjectNode statistics(Stream<VersionQueue> queues) {
        ObjectNode all = object();
        ArrayNode entries = all.putArray("model_stats");
        queues.forEach(queue -> entries.add(ReplicaStatistics.of(queue)));
        return all;
    }

    /** @param version of the path; empty for all versions, as Triton has it */
    HttpResponse statistics(VersionQueue queue, OptionalInt version) {
        return Answers.json(
                200,
                statistics(
                        version.isPresent()
                                ? Stream.of(queue)
                                : routes.find(queue.key.function()).stream().flatMap(FunctionRoute::ordered)));
    }

    private ObjectNode entry(VersionQueue queue) {
        Optional<Unavailable> trouble = autoscaler.unavailable(queue.key);
        return object().put("name", queue.servedName)
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
                object().put("name", queue.servedName).put("live", true).put("ready", trouble.isEmpty()));
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
        return described(queue, manifest -> new ModelMetadata(queue.servedName, versions(queue), manifest).json());
    }

    HttpResponse config(VersionQueue queue) {
        FunctionSpec spec = queue.version.spec();
        return described(
                queue,
                manifest -> new ModelConfig(
                                queue.servedName,
                                manifest,
                                spec.scaling().concurrency(),
                                spec.batching().maxSize(),
                                spec.batching().maxDelay().toNanos() / 1000)
                        .json());
    }

    private HttpResponse described(VersionQueue queue, Function<GraphManifest, byte[]> json) {
        if (queue.version.spec().takesText()) {
            return Answers.error(
                    400,
                    "%s is called with texts and has no tensors; call POST %s"
                            .formatted(
                                    queue.key.function(),
                                    queue.version.spec().type() == FunctionType.Encoder
                                            ? TextPaths.EMBEDDINGS + " or " + TextPaths.RERANK
                                            : TextPaths.CHAT_COMPLETIONS));
        }
        GraphManifest manifest = known.get(queue.version.unit());
        if (manifest == null) {
            try {
                manifest = manifests.read(queue.version.unit()).graphs();
            } catch (RuntimeException failed) {
                return Answers.error(
                        500, "cannot read the manifest of %s: %s".formatted(queue.key, failed.getMessage()));
            }
            if (known.size() >= MAX_MANIFESTS) {
                known.clear();
            }
            known.put(queue.version.unit(), manifest);
        }
        return HttpResponse.json(200, json.apply(manifest)).withHeaders(version(queue));
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
