package io.knabla.runtime.serve;

import io.knabla.functions.unit.ModelConfig;
import io.knabla.functions.unit.ModelMetadata;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.usage.ReplicaTotals;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.protocol.LoadRequest;
import io.knabla.runtime.protocol.ProtocolException;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.protocol.Signature;
import io.knabla.runtime.shm.SharedRegions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Routes requests by path: probes, metadata and metrics, {@code infer}, and the Tesseract endpoints. */
final class Routes {
    private static final String MODELS = "/v2/models/";
    private static final String V1_MODELS = "/v1/models";
    private static final String VERSIONS = "/versions/";
    private static final byte[] NOTHING = {'{', '}'};

    private final String model;
    private final String version;
    private final String modelRoot;
    private final String versionLine;
    private final Duration stuckAfter;
    private final SharedMemoryHandler sharing;
    private final String loadPath;
    private final String predictPath;
    private final String v1Root;
    private final Metrics metrics = new Metrics();
    private final InferStatistics statistics = new InferStatistics();
    private final CountDownLatch loaded = new CountDownLatch(1);
    private volatile InferHandler inference;
    private volatile Engine engine;
    private volatile UnitManifest manifest;
    private volatile Optional<StartPhases> start = Optional.empty();
    private TesseractHandler derivatives;

    /** Set before {@link #inference}, read after it. */
    private ColdStartReporter wake;

    private volatile boolean stopping;

    Routes(ReplicaSettings settings) {
        this.model = settings.model();
        this.version = settings.version();
        this.stuckAfter = settings.stuckAfter();
        this.sharing = new SharedMemoryHandler(settings);
        this.modelRoot = MODELS + model;
        this.v1Root = V1_MODELS + "/" + model;
        this.predictPath = v1Root + ":predict";
        this.loadPath = "/v2/repository/models/" + model + "/load";
        this.versionLine = "Knabla-Version: " + version + "\r\n";
    }

    void serve(Engine opened, UnitManifest served, Optional<StartPhases> phases) {
        var signature = new Signature(served);
        engine = opened;
        manifest = served;
        start = phases;
        wake = new ColdStartReporter(versionLine, phases, System.nanoTime());
        inference = new InferHandler(opened, signature, model, version, metrics, statistics, sharing);
        loaded.countDown();
    }

    void stop() {
        stopping = true;
    }

    private boolean ready() {
        return inference != null && !stopping;
    }

    /** Rejects unknown paths and wrong methods before the body is read; null if the request is admitted. */
    HttpResponse refuse(HttpRequest request) {
        String path = request.path();
        String allowed = method(path);
        if (allowed == null) {
            return HttpResponse.json(404, ProtocolResponses.error(unknown(path)))
                    .withHeaders(versionLine);
        }
        if (!request.method().equals(allowed)) {
            String allow = allowed.equals("GET") ? "GET, HEAD" : allowed;
            return HttpResponse.json(405, ProtocolResponses.error(path + " is called with " + allowed))
                    .withHeaders(versionLine + "Allow: " + allow + "\r\n");
        }
        return null;
    }

    /** The allowed method of a known path; null for an unknown path. */
    private String method(String path) {
        return switch (path) {
            case "/v2", "/v2/", "/v2/health/live", "/v2/health/ready", "/v2/models/stats", "/metrics" -> "GET";
            case "/v2/repository/index" -> "POST";
            case V1_MODELS, "/health", "/openapi.json" -> "GET";
            case "/apply",
                    "/jacobian",
                    "/jacobian_vector_product",
                    "/vector_jacobian_product",
                    "/hessian_vector_product",
                    "/abstract_eval" -> "POST";
            default ->
                switch (action(path)) {
                    case "", "/", "/ready", "/config", "/stats" -> "GET";
                    case "/infer" -> "POST";
                    case null, default -> ofOtherProtocol(path);
                };
        };
    }

    private String ofOtherProtocol(String path) {
        if (path.equals(v1Root)) {
            return "GET";
        }
        if (sharing.handles(path)) {
            return SharedRegions.method(path);
        }
        return path.equals(loadPath) || path.equals(predictPath) ? "POST" : null;
    }

    /** The rest of the path after our model and version; null for another model or version. */
    private String action(String path) {
        if (!path.startsWith(modelRoot)) {
            return null;
        }
        int at = modelRoot.length();
        if (path.startsWith(VERSIONS, at)) {
            at += VERSIONS.length();
            if (!path.startsWith(version, at)) {
                return null;
            }
            at += version.length();
        }
        return at == path.length() || path.charAt(at) == '/' ? path.substring(at) : null;
    }

    private String unknown(String path) {
        if (!path.startsWith(MODELS)) {
            return "there is nothing at " + InferHandler.cut(path) + "; start at /v2/models/" + model;
        }
        String rest = path.substring(MODELS.length());
        String name = rest.contains("/") ? rest.substring(0, rest.indexOf('/')) : rest;
        if (!name.equals(model)) {
            return "Request for unknown model: '%s' is not found; this replica serves '%s'"
                    .formatted(InferHandler.cut(name), model);
        }
        return "there is nothing at %s; model '%s' has version %s here, with /ready, /config, /stats and /infer"
                .formatted(InferHandler.cut(path), model, version);
    }

    HttpResponse handle(HttpRequest request) {
        String path = request.path();
        if (sharing.handles(path)) {
            return sharing.answer(request).withHeaders(versionLine);
        }
        String action = action(path);
        HttpResponse state = state(path, action);
        return state == null ? model(path, action, request) : state.withHeaders(versionLine);
    }

    /** Answers paths that need no model; null for others. */
    private HttpResponse state(String path, String action) {
        boolean ready = ready();
        int status = ready ? 200 : 503;
        return switch (path) {
            case "/v2", "/v2/" -> HttpResponse.json(200, ProtocolResponses.server(version(), sharing.isOpen()));
            case "/v2/health/live" -> live(ready);
            case "/v2/health/ready" -> HttpResponse.json(status, ProtocolResponses.health(ready, true));
            case "/metrics" -> metrics();
            case "/v2/models/stats" -> statistics();
            case V1_MODELS -> HttpResponse.json(200, ProtocolResponses.models(model));
            case "/v2/repository/index" -> HttpResponse.json(200, ProtocolResponses.repository(model, version, ready));
            default ->
                switch (action) {
                    case "/ready" -> HttpResponse.json(status, ProtocolResponses.modelReady(model, ready));
                    case "/stats" -> statistics();
                    case null, default ->
                        path.equals(v1Root)
                                ? HttpResponse.json(status, ProtocolResponses.modelReady(model, ready))
                                : null;
                };
        };
    }

    /** Not live if a run is stuck: it holds its slot for ever, and only the end of the process frees it. */
    private HttpResponse live(boolean ready) {
        Engine running = engine;
        Duration overdue = running == null ? Duration.ZERO : running.overdue();
        if (overdue.compareTo(stuckAfter) < 0 || overdue.isZero()) {
            return HttpResponse.json(200, ProtocolResponses.health(ready, true));
        }
        System.err.println("not live: a run of the engine goes on %d s after it was told to stop at its timeout"
                .formatted(overdue.toSeconds()));
        return HttpResponse.json(503, ProtocolResponses.health(ready, false));
    }

    /** Created on the first such call, to keep it out of every cold start. */
    private synchronized TesseractHandler derivatives() {
        if (derivatives == null) {
            derivatives = new TesseractHandler(engine, manifest, model, version, metrics);
        }
        return derivatives;
    }

    ReplicaTotals usage() {
        return metrics.usage();
    }

    private byte[] metadata() {
        return new ModelMetadata(model, List.of(version), manifest).json();
    }

    private byte[] config() {
        EngineSettings limits = engine.settings();
        return new ModelConfig(
                        model,
                        manifest,
                        limits.concurrency(),
                        limits.batchMaxSize(),
                        limits.batchMaxDelay().toNanos() / 1000)
                .json();
    }

    private HttpResponse statistics() {
        return HttpResponse.json(200, statistics.json(model, version, engine));
    }

    private HttpResponse metrics() {
        byte[] text = metrics.render(model, version, engine, start);
        return new HttpResponse(200, "text/plain; version=0.0.4", "", text, text.length);
    }

    private HttpResponse model(String path, String action, HttpRequest request) {
        if (!awaitModel()) {
            return HttpResponse.json(503, ProtocolResponses.error("this replica is stopping; call again"))
                    .withHeaders(versionLine);
        }
        ResponseHeaders heading = wake.headersFor(request);
        try {
            if (path.equals(loadPath)) {
                return load(request).withHeaders(heading.toHeaderLines());
            }
            if (path.equals(predictPath)) {
                return inference.predict(request, heading);
            }
            return switch (action) {
                case null -> derivatives().answer(path, request, heading);
                case "/infer" -> inference.answer(request, heading);
                case "/config" -> HttpResponse.json(200, config()).withHeaders(heading.toHeaderLines());
                default -> HttpResponse.json(200, metadata()).withHeaders(heading.toHeaderLines());
            };
        } finally {
            wake.answered(heading);
        }
    }

    /** By now the model is loaded, which is all that can be asked for. */
    private static HttpResponse load(HttpRequest request) {
        try {
            LoadRequest.check(request.body(), request.bodyLength());
            return HttpResponse.json(200, NOTHING);
        } catch (ProtocolException refused) {
            return HttpResponse.json(refused.status(), ProtocolResponses.error(refused.getMessage()));
        }
    }

    /** Waits until the model is loaded; false if interrupted by a shutdown. */
    private boolean awaitModel() {
        if (inference == null) {
            try {
                loaded.await();
            } catch (InterruptedException stopped) {
                return false;
            }
        }
        return true;
    }

    private static String version() {
        String version = Routes.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version;
    }
}
