package io.knabla.runtime.inference;

import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.paths.ModelAction;
import io.knabla.runtime.paths.ServerAction;
import io.knabla.runtime.protocol.InferRequest;
import io.knabla.runtime.protocol.PredictDecoder;
import io.knabla.runtime.protocol.PredictEncoder;
import io.knabla.runtime.protocol.PredictRequest;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import io.knabla.runtime.protocol.Signature;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import java.util.List;

/** Answers calls of KServe's V1 protocol, {@code /v1/models/NAME:predict}. */
final class PredictEndpoints extends EngineEndpoints {
    private final ReplicaState state;
    private final InferStatistics statistics;
    private final String model;
    private final String modelsPath = ServerAction.V1_MODELS.path();
    private final String readyPath;
    private final String predictPath;
    private Signature signature;
    private InferHandler handler;

    PredictEndpoints(ReplicaState state, InferStatistics statistics) {
        super(state);
        this.state = state;
        this.statistics = statistics;
        this.model = state.settings().model();
        this.readyPath = ModelAction.v1Ready(model);
        this.predictPath = ModelAction.PREDICT.path(model);
    }

    /** Tensors of one request. */
    private final class PredictForm implements TensorForm {
        private PredictRequest decoded;

        @Override
        public InferRequest decode(HttpRequest request) {
            decoded = new PredictDecoder(signature).decode(request.body(), request.bodyLength());
            return decoded.infer();
        }

        @Override
        public Body encode(InferRequest request, List<Tensor> outputs) {
            return PredictEncoder.encode(decoded, outputs);
        }
    }

    @Override
    public String method(String path) {
        if (path.equals(predictPath)) {
            return ModelAction.PREDICT.method();
        }
        return path.equals(readyPath) || path.equals(modelsPath) ? "GET" : null;
    }

    @Override
    void opened(EngineModel opened) {
        signature = new Signature(opened.manifest());
        handler = new InferHandler(opened.engine(), signature.outputs().size(), state.metrics(), statistics);
    }

    @Override
    protected HttpResponse answerEarly(String path, HttpRequest request) {
        if (path.equals(modelsPath)) {
            return HttpResponse.json(200, ProtocolResponses.models(model));
        }
        boolean ready = state.isReady();
        return path.equals(readyPath)
                ? HttpResponse.json(ready ? 200 : 503, ProtocolResponses.modelReady(model, ready))
                : null;
    }

    @Override
    HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers, EngineModel opened) {
        return handler.answer(request, headers, new PredictForm());
    }
}
