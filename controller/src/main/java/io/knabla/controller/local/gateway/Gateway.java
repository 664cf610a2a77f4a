package io.knabla.controller.local.gateway;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.front.FunctionHandler;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.functions.spec.SpellingHints;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * Entry point of the local platform's functions: parses each request's target, answers metadata requests itself and
 * forwards the rest to a replica.
 */
public final class Gateway implements FunctionHandler, Lifecycle {
    private static final Duration SOON = Duration.ofSeconds(1);

    private final GatewaySettings settings;
    private final Routes routes;
    private final MetadataHandler metadataHandler;
    private final FatalRequests fatal;
    private final Deadlines deadlines = new Deadlines();
    private final RandomGenerator random;

    /** Dependencies of a gateway. */
    public record Parts(
            Catalog catalog,
            Cluster cluster,
            Autoscaler autoscaler,
            ManifestSource manifests,
            MeterRegistry meters,
            InstantSource clock,
            RandomGenerator random) {}

    public Gateway(Parts parts, GatewaySettings settings) {
        this.settings = settings;
        routes = new Routes(parts.catalog(), parts.cluster(), parts.autoscaler(), parts.meters(), settings.maxQueued());
        metadataHandler = new MetadataHandler(routes, parts.autoscaler(), parts.manifests());
        fatal = new FatalRequests(parts.clock());
        random = parts.random();
    }

    @Override
    public void start() {
        routes.start();
        deadlines.start();
    }

    @Override
    public boolean handles(HttpRequest request) {
        return isForFunction(request);
    }

    static boolean isForFunction(HttpRequest request) {
        String path = request.path();
        return path.startsWith(RequestTarget.V2) && (path.length() == 3 || path.charAt(3) == '/')
                || path.startsWith(RequestTarget.FUNCTIONS)
                || RequestTarget.isFunctionHost(request.header("Host"));
    }

    @Override
    public void handle(HttpExchange http) throws IOException {
        HttpRequest request = http.request();
        switch (RequestTarget.of(request.header("Host"), request.path())) {
            case RequestTarget.OfServer(FunctionId root, RequestTarget.Server what) -> {
                boolean known = root == null || routes.find(root).isPresent();
                http.respond(
                        known
                                ? metadataHandler.server(what, request.method())
                                : Answers.error(404, unknownFunction(root)));
            }
            case RequestTarget.OfModel(FunctionId id, OptionalInt version, RequestTarget.Model what) ->
                model(id, version, what, http);
            case RequestTarget.OfReplica(FunctionId id, String path) -> {
                VersionQueue queue = findQueue(id, OptionalInt.empty(), http);
                if (queue != null) {
                    handleReplicaPath(queue, path, http);
                }
            }
            case RequestTarget.NotFound(String message) -> http.respond(Answers.error(404, message));
        }
    }

    private void model(FunctionId id, OptionalInt version, RequestTarget.Model what, HttpExchange http)
            throws IOException {
        String wanted = what == RequestTarget.Model.INFER ? "POST" : "GET";
        if (!http.request().method().equals(wanted)) {
            http.respond(Answers.wrongMethod(wanted, http.request().method()));
            return;
        }
        VersionQueue queue = findQueue(id, version, http);
        if (queue == null) {
            return;
        }
        switch (what) {
            case METADATA -> http.respond(metadataHandler.metadata(queue));
            case READY -> http.respond(metadataHandler.ready(queue));
            case INFER -> forward(queue, queue.inferPath, http);
        }
    }

    /** Answers health checks without starting a replica. */
    private void handleReplicaPath(VersionQueue queue, String path, HttpExchange http) throws IOException {
        if (path.equals("/health") && http.request().method().equals("GET")) {
            http.respond(metadataHandler.health(queue));
        } else {
            forward(queue, path, http);
        }
    }

    /** Returns the version's queue; if there is none, sends a 404 and returns null. */
    private VersionQueue findQueue(FunctionId id, OptionalInt version, HttpExchange http) throws IOException {
        Optional<FunctionRoute> route = routes.find(id);
        if (route.isEmpty()) {
            http.respond(Answers.error(404, unknownFunction(id)));
            return null;
        }
        Optional<VersionQueue> queue = version.isEmpty()
                ? Optional.ofNullable(route.get().choose(random))
                : route.get().queue(version.getAsInt());
        if (queue.isEmpty()) {
            http.respond(Answers.error(404, unknownVersion(route.get(), version)));
        }
        return queue.orElse(null);
    }

    /** Starts like Triton's message, because some of its clients match these words. */
    private String unknownFunction(FunctionId id) {
        List<String> known = routes.all().stream()
                .map(route -> route.record().id())
                .filter(other -> other.namespace().equals(id.namespace()))
                .map(FunctionId::name)
                .toList();
        List<String> near = SpellingHints.closest(id.name(), known, 3);
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

    /** Reads the body first: a request whose body has not come must not start a replica. */
    private void forward(VersionQueue queue, String path, HttpExchange http) throws IOException {
        http.limitBody(settings.maxBodyBytes(), "send fewer or smaller tensors");
        http.readBody(settings.replayBytes());
        long kept = http.request().bodyLength();
        long arrived = http.request().arrived();
        queue.load.requestStarted();
        int status = Answers.CLIENT_LEFT;
        try {
            status = queue.keptBytes.addAndGet(kept) > settings.maxKeptBytes()
                    ? refuse(429, ErrorMessages.functionHoldsTooMuch(queue.key, settings.maxKeptBytes()), SOON, http)
                    : forwardOrRefuse(queue, path, http);
        } catch (HttpFault fault) {
            status = fault.status();
            throw fault;
        } finally {
            queue.keptBytes.addAndGet(-kept);
            queue.load.requestEnded();
            queue.meters.finished(status, System.nanoTime() - arrived);
        }
    }

    private int forwardOrRefuse(VersionQueue queue, String path, HttpExchange http) throws IOException {
        Optional<Duration> refusal = fatal.refusal(queue.key, http.request());
        if (refusal.isPresent()) {
            return refuse(503, ErrorMessages.fatal(queue.key, refusal.get()), refusal.get(), http);
        }
        String target = http.request().target();
        int query = target.indexOf('?');
        var exchange = new Exchange(http, queue, query < 0 ? path : path + target.substring(query), fatal);
        deadlines.add(exchange);
        try {
            return exchange.run();
        } finally {
            deadlines.remove(exchange);
        }
    }

    private static int refuse(int status, String sentence, Duration retryAfter, HttpExchange http) throws IOException {
        HttpResponse refusal = Answers.error(status, sentence).withHeaders(Answers.retryAfter(retryAfter));
        http.respond(refusal);
        return status;
    }

    @Override
    public void close() {
        routes.close();
        deadlines.close();
    }
}
