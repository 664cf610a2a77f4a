package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * HTTP entry point of the local platform: parses each request's target, answers metadata requests itself and forwards
 * the rest to a replica. Runs on event loops only.
 */
public final class Gateway implements Lifecycle {
    private final Routes routes;
    private final ExchangeResources resources;
    private final MetadataHandler metadataHandler;
    private final RandomGenerator random;

    /** Dependencies of a gateway. */
    public record Parts(
            Vertx vertx,
            Catalog catalog,
            Cluster cluster,
            Autoscaler autoscaler,
            ManifestSource manifests,
            MeterRegistry meters,
            RandomGenerator random) {}

    public Gateway(Parts parts, GatewaySettings settings) {
        routes = new Routes(parts.catalog(), parts.cluster(), parts.autoscaler(), parts.meters(), settings.maxQueued());
        resources = new ExchangeResources(parts.vertx(), settings);
        metadataHandler = new MetadataHandler(parts.vertx(), routes, parts.autoscaler(), parts.manifests());
        random = parts.random();
    }

    @Override
    public void start() {
        routes.start();
    }

    /** Whether this request is for the gateway; all others are for the control API. */
    static boolean handles(HttpServerRequest request) {
        String path = request.path();
        return path != null
                && (path.startsWith(RequestTarget.V2) && (path.length() == 3 || path.charAt(3) == '/')
                        || path.startsWith(RequestTarget.FUNCTIONS)
                        || RequestTarget.isFunctionHost(request.getHeader("Host")));
    }

    public void handle(HttpServerRequest request) {
        switch (RequestTarget.of(request.getHeader("Host"), request.path())) {
            case RequestTarget.OfServer(FunctionId root, RequestTarget.Server what) -> {
                if (root == null || routes.find(root).isPresent()) {
                    metadataHandler.server(what, request);
                } else {
                    Answers.error(request.response(), 404, unknownFunction(root));
                }
            }
            case RequestTarget.OfModel(FunctionId id, OptionalInt version, RequestTarget.Model what) ->
                model(id, version, what, request);
            case RequestTarget.OfReplica(FunctionId id, String path) ->
                findQueue(id, OptionalInt.empty(), request.response())
                        .ifPresent(queue -> handleReplicaPath(queue, path, request));
            case RequestTarget.NotFound(String message) -> Answers.error(request.response(), 404, message);
        }
    }

    private void model(FunctionId id, OptionalInt version, RequestTarget.Model what, HttpServerRequest request) {
        HttpServerResponse response = request.response();
        HttpMethod method = request.method();
        HttpMethod wanted = what == RequestTarget.Model.INFER ? HttpMethod.POST : HttpMethod.GET;
        if (!method.equals(wanted) && !(wanted == HttpMethod.GET && method.equals(HttpMethod.HEAD))) {
            response.putHeader("Allow", wanted.name());
            Answers.error(response, 405, "use %s here, not %s".formatted(wanted, method));
            return;
        }
        findQueue(id, version, response).ifPresent(queue -> {
            switch (what) {
                case METADATA -> metadataHandler.metadata(queue, response);
                case READY -> metadataHandler.ready(queue, response);
                case INFER -> forward(queue, queue.inferPath, request);
            }
        });
    }

    /** Answers health checks without starting a replica. */
    private void handleReplicaPath(VersionQueue queue, String path, HttpServerRequest request) {
        if (path.equals("/health") && request.method().equals(HttpMethod.GET)) {
            metadataHandler.health(queue, request.response());
        } else {
            forward(queue, path, request);
        }
    }

    /** Returns the version's queue; if there is none, sends a 404 and returns empty. */
    private Optional<VersionQueue> findQueue(FunctionId id, OptionalInt version, HttpServerResponse response) {
        Optional<FunctionRoute> route = routes.find(id);
        if (route.isEmpty()) {
            Answers.error(response, 404, unknownFunction(id));
            return Optional.empty();
        }
        Optional<VersionQueue> queue = version.isEmpty()
                ? Optional.ofNullable(route.get().choose(random))
                : route.get().queue(version.getAsInt());
        if (queue.isEmpty()) {
            Answers.error(response, 404, unknownVersion(route.get(), version));
        }
        return queue;
    }

    /** Starts like Triton's message, because some of its clients match these words. */
    private String unknownFunction(FunctionId id) {
        List<String> known = routes.all().stream()
                .map(route -> route.record().id())
                .filter(other -> other.namespace().equals(id.namespace()))
                .map(FunctionId::name)
                .toList();
        List<String> near = NearNames.of(id.name(), known);
        return "Request for unknown model: '%s' is not found in namespace %s%s"
                .formatted(
                        id.name(),
                        id.namespace(),
                        near.isEmpty() ? "; see ./knabla list" : "; did you mean " + String.join(", ", near) + "?");
    }

    private static String unknownVersion(FunctionRoute route, OptionalInt version) {
        return "Request for unknown model: '%s' has no version %s; it has %s"
                .formatted(
                        route.record().id().name(),
                        version.isPresent() ? version.getAsInt() : "with traffic",
                        route.queues().keySet().stream().sorted().toList());
    }

    private void forward(VersionQueue queue, String path, HttpServerRequest request) {
        String query = request.query();
        String uri = query == null ? path : path + "?" + query;
        // A training step changes weights, so it must not run twice.
        boolean idempotent = queue.version.spec().type() != FunctionType.TrainingStep;
        new Exchange(resources, queue, uri, idempotent, request).start();
    }

    @Override
    public void close() {
        resources.close();
    }
}
