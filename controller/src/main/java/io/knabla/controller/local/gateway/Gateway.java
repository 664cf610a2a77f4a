package io.knabla.controller.local.gateway;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.config.Lifecycle;
import io.knabla.controller.errors.ErrorKind;
import io.knabla.controller.errors.ErrorPage;
import io.knabla.controller.front.FunctionHandler;
import io.knabla.controller.platform.Cluster;
import io.knabla.controller.platform.ReplicaEnvironment;
import io.knabla.controller.scale.Autoscaler;
import io.knabla.functions.spec.SpellingHints;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.http.LimitedLog;
import io.knabla.runtime.paths.FunctionPath;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ProtocolPath;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.paths.TextPaths;
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
    private static final System.Logger LOG = System.getLogger(Gateway.class.getName());
    private static final String LARGER_BODIES =
            "send fewer or smaller tensors, or raise the function's resources.memory, a quarter of which a body may take (up to the platform's setting maxBody)";
    private static final String LONGER_TEXTS =
            "send a shorter prompt, or call the function at its own root, /functions/NAMESPACE/NAME/v1/";
    private static final Duration SOON = Duration.ofSeconds(1);

    private final GatewaySettings settings;
    private final Routes routes;
    private final MetadataHandler metadataHandler;
    private final Autoscaler autoscaler;
    private final SharedMemoryGate sharing;
    private final FatalRequests fatal;
    private final FailureLog failures;
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
        metadataHandler = new MetadataHandler(routes, parts.autoscaler(), parts.manifests(), settings.sharedMemory());
        sharing = new SharedMemoryGate(settings.sharedMemory());
        fatal = new FatalRequests(parts.clock());
        failures = new FailureLog(new LimitedLog(parts.clock(), line -> LOG.log(System.Logger.Level.WARNING, line)));
        autoscaler = parts.autoscaler();
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
        return ProtocolPath.isProtocol(path)
                || TextPaths.has(path)
                || FunctionPath.isOfFunctions(path)
                || RequestTarget.isFunctionHost(request.header("Host")) && !path.equals(ErrorPage.PATH);
    }

    @Override
    public void handle(HttpExchange http) throws IOException {
        HttpRequest request = http.request();
        switch (RequestTarget.of(request.header("Host"), request.path())) {
            case RequestTarget.OfServer(FunctionId root, ServerAction what) -> {
                boolean known = root == null || routes.findNamed(root).isPresent();
                http.respond(
                        known
                                ? metadataHandler.server(what, request.method(), Optional.ofNullable(root))
                                : notFound(root));
            }
            case RequestTarget.OfModel model -> model(model, http);
            case RequestTarget.OfReplica(FunctionId id, String path) -> {
                VersionQueue queue =
                        findQueue(new RequestTarget.OfModel(id, OptionalInt.empty(), ModelAction.INFER, ""), http);
                if (queue != null) {
                    handleReplicaPath(queue, path, http);
                }
            }
            case RequestTarget.OfText(String path) -> text(path, http);
            case RequestTarget.OfSharedMemory(String path) -> http.respond(sharing.answer(path, http));
            case RequestTarget.NotFound(String message) -> http.respond(Answers.error(404, message));
        }
    }

    /** Reads the body first, since it names the function. */
    private void text(String path, HttpExchange http) throws IOException {
        String method = http.request().method();
        if (!method.equals("POST")) {
            http.respond(TextRequests.inItsForm(Answers.wrongMethod("POST", method)));
            return;
        }
        http.limitBody(settings.replayBytes(), LONGER_TEXTS);
        if (!hasReadText(http)) {
            return;
        }
        Optional<FunctionId> named = TextRequests.function(http.request());
        Optional<Routes.Addressed> found = named.flatMap(routes::findNamed);
        VersionQueue queue = found.map(it -> it.route().choose(random)).orElse(null);
        if (queue == null) {
            http.respond(TextRequests.inItsForm(named.map(this::notFound)
                    .orElseGet(() -> Answers.error(
                            400, "the body names no function: write \"model\": \"NAME\" or \"NAMESPACE/NAME\""))));
            return;
        }
        forwardRead(queue, path, http);
    }

    /** If the body of a text's request is refused, tells so in OpenAI's form. */
    private boolean hasReadText(HttpExchange http) throws IOException {
        try {
            http.readBody(settings.replayBytes());
            return true;
        } catch (HttpFault refused) {
            HttpResponse answer = TextRequests.refusal(refused.status(), refused.getMessage());
            http.respond(refused.status() == 503 ? answer.withHeaders(Answers.retryAfter(SOON)) : answer);
            return false;
        }
    }

    private void model(RequestTarget.OfModel model, HttpExchange http) throws IOException {
        String wanted = model.what().method();
        if (!http.request().method().equals(wanted)) {
            http.respond(Answers.wrongMethod(wanted, http.request().method()));
            return;
        }
        VersionQueue queue = findQueue(model, http);
        if (queue == null) {
            return;
        }
        switch (model.what()) {
            case METADATA -> http.respond(metadataHandler.metadata(queue));
            case READY -> http.respond(metadataHandler.ready(queue));
            case CONFIG -> http.respond(metadataHandler.config(queue));
            case STATISTICS -> http.respond(metadataHandler.statistics(queue, model.version()));
            case INFER -> forward(queue, queue.inferPath, http);
            case PREDICT -> forward(queue, queue.predictPath, http);
            // A replica answers it once its model is loaded.
            case LOAD -> forward(queue, queue.loadPath, http);
            case UNLOAD -> http.respond(unload(queue));
        }
    }

    /** Scales to zero; the next request starts a replica again. */
    private HttpResponse unload(VersionQueue queue) {
        return autoscaler.unload(queue.key)
                ? Answers.json(200, JsonNodeFactory.instance.objectNode())
                : Answers.error(
                        409,
                        "%s keeps replicas running: its scaling.min is above 0; deploy it with another one to unload it"
                                .formatted(queue.key));
    }

    /** Answers health checks without starting a replica. */
    private void handleReplicaPath(VersionQueue queue, String path, HttpExchange http) throws IOException {
        if (path.equals("/health") && http.request().method().equals("GET")) {
            http.respond(metadataHandler.health(queue));
        } else {
            forward(queue, path, http);
        }
    }

    private HttpResponse notFound(FunctionId id) {
        return routes.damage(id)
                .map(sentence -> Answers.error(ErrorKind.FUNCTION_DAMAGED, 503, sentence))
                .orElseGet(() -> Answers.error(ErrorKind.UNKNOWN_FUNCTION, 404, unknownFunction(id)));
    }

    /** Returns the version's queue; if there is none, says why and returns null. */
    private VersionQueue findQueue(RequestTarget.OfModel model, HttpExchange http) throws IOException {
        Optional<Routes.Addressed> found = routes.findNamed(model.function());
        if (found.isEmpty()) {
            http.respond(notFound(model.function()));
            return null;
        }
        FunctionRoute route = found.get().route();
        boolean named =
                model.name().isEmpty() || model.name().equals(model.function().name());
        if (!named && !route.isNamed(model.name())) {
            http.respond(Answers.error(ErrorKind.UNKNOWN_FUNCTION, 404, unknownName(route, model.name())));
            return null;
        }
        OptionalInt version =
                model.version().isPresent() ? model.version() : found.get().version();
        Optional<VersionQueue> queue =
                version.isEmpty() ? Optional.ofNullable(route.choose(random)) : route.queue(version.getAsInt());
        if (queue.isEmpty()) {
            http.respond(Answers.error(ErrorKind.UNKNOWN_FUNCTION, 404, unknownVersion(route, version)));
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

    private static String unknownName(FunctionRoute route, String name) {
        FunctionId id = route.record().id();
        return "Request for unknown model: '%s' is not at the root of function %s; its model is called '%s'"
                .formatted(name, id, route.servedName().orElse(id.name()));
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
        http.limitBody(
                Math.min(settings.maxBodyBytes(), ReplicaEnvironment.maxBodyBytes(queue.version.spec())),
                LARGER_BODIES);
        if (queue.version.spec().takesText()) {
            if (!hasReadText(http)) {
                return;
            }
        } else {
            http.readBody(settings.replayBytes());
        }
        forwardRead(queue, path, http);
    }

    /** Must be called when the body, or as much of it as is kept, has arrived. */
    private void forwardRead(VersionQueue queue, String path, HttpExchange http) throws IOException {
        long kept = http.request().bodyLength();
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
            finished(queue, http.request(), status);
        }
    }

    private void finished(VersionQueue queue, HttpRequest request, int status) {
        long nanos = System.nanoTime() - request.arrived();
        queue.meters.finished(status, nanos);
        if (status >= 500) {
            failures.failed(request.trace(), queue.key, status, Duration.ofNanos(nanos));
        }
    }

    private int forwardOrRefuse(VersionQueue queue, String path, HttpExchange http) throws IOException {
        Optional<Duration> refusal = fatal.refusal(queue.key, http.request());
        if (refusal.isPresent()) {
            return refuse(503, ErrorMessages.fatal(queue.key, refusal.get()), refusal.get(), http);
        }
        String target = http.request().target();
        int query = target.indexOf('?');
        var exchange = new Exchange(
                http, queue, query < 0 ? path : path + target.substring(query), fatal, sharing.header(http));
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
