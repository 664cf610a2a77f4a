package io.knabla.runtime.inference;

import io.knabla.functions.unit.ModelConfig;
import io.knabla.functions.unit.ModelMetadata;
import io.knabla.runtime.engine.BatchStatistics;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.protocol.RequestDecoder;
import io.knabla.runtime.protocol.ResponseEncoder;
import io.knabla.runtime.protocol.Signature;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers for the model in the Open Inference Protocol, with Triton's extensions for its configuration and statistics.
 */
final class OpenInferenceEndpoints extends EngineEndpoints {
    private static final ModelAction[] ACTIONS = {
        ModelAction.METADATA, ModelAction.READY, ModelAction.CONFIG, ModelAction.STATISTICS, ModelAction.INFER
    };

    private final ReplicaState state;
    private final String model;
    private final String version;
    private final InferStatistics statistics;
    private final SharedMemoryHandler sharing;

    /** What each path asks for; the server's statistics are those of its one model. */
    private final Map<String, ModelAction> actions = new HashMap<>();

    private InferHandler handler;
    private TensorForm form;

    OpenInferenceEndpoints(ReplicaState state, InferStatistics statistics, SharedMemoryHandler sharing) {
        super(state);
        this.state = state;
        this.model = state.settings().model();
        this.version = state.settings().version();
        this.statistics = statistics;
        this.sharing = sharing;
        for (ModelAction action : ACTIONS) {
            actions.put(action.path(model), action);
            actions.put(action.path(model, version), action);
        }
        actions.put(ModelAction.METADATA.path(model) + "/", ModelAction.METADATA);
        actions.put(ModelAction.METADATA.path(model, version) + "/", ModelAction.METADATA);
        actions.put(ServerAction.STATISTICS.path(), ModelAction.STATISTICS);
    }

    @Override
    public String method(String path) {
        ModelAction action = actions.get(path);
        return action == null ? null : action.method();
    }

    @Override
    void opened(EngineModel opened) {
        var signature = new Signature(opened.manifest());
        form = new OpenInferenceForm(
                new RequestDecoder(signature, opened.engine().inputs()), new ResponseEncoder(model, version), sharing);
        handler = new InferHandler(opened.engine(), signature.outputs().size(), state.metrics(), statistics);
    }

    @Override
    protected void readBody(HttpExchange exchange) throws IOException {
        if (actions.get(exchange.request().path()) == ModelAction.INFER) {
            StreamedTensors.readBody(exchange);
        } else {
            exchange.readInflatedBody();
        }
    }

    @Override
    protected HttpResponse answerEarly(String path, HttpRequest request) {
        return switch (actions.get(path)) {
            case READY -> ready();
            case STATISTICS -> HttpResponse.json(200, statistics.json(model, version, batches()));
            default -> null;
        };
    }

    private HttpResponse ready() {
        boolean ready = state.isReady();
        return HttpResponse.json(ready ? 200 : 503, ProtocolResponses.modelReady(model, ready));
    }

    private Map<Long, BatchStatistics.Count> batches() {
        EngineModel opened = model();
        return opened == null ? Map.of() : opened.engine().batches().counts();
    }

    @Override
    HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers, EngineModel opened) {
        return switch (actions.get(path)) {
            case INFER -> handler.answer(request, headers, form);
            case CONFIG -> HttpResponse.json(200, config(opened)).withHeaders(headers.toHeaderLines());
            default ->
                HttpResponse.json(200, new ModelMetadata(model, List.of(version), opened.manifest()).json())
                        .withHeaders(headers.toHeaderLines());
        };
    }

    private byte[] config(EngineModel opened) {
        EngineSettings limits = opened.engine().settings();
        return new ModelConfig(
                        model,
                        opened.manifest(),
                        limits.concurrency(),
                        limits.batchMaxSize(),
                        limits.batchMaxDelay().toNanos() / 1000)
                .json();
    }
}
