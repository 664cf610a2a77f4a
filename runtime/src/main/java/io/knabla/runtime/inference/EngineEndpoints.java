package io.knabla.runtime.inference;

import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import io.knabla.runtime.serve.ServedModel;
import io.knabla.runtime.serve.WholeBodyEndpoints;

/**
 * Endpoints that call a model of the engine; there is nothing at them if the replica serves a model of another kind.
 */
abstract class EngineEndpoints extends WholeBodyEndpoints {
    private volatile EngineModel model;

    EngineEndpoints(ReplicaState state) {
        super(state);
    }

    /** Called once, before any request is answered with this model. */
    void opened(EngineModel opened) {}

    abstract HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers, EngineModel opened);

    @Override
    public final void loaded(ServedModel served) {
        if (served instanceof EngineModel opened) {
            opened(opened);
            model = opened;
        }
    }

    /** Null before it is loaded, and for a model of another kind. */
    final EngineModel model() {
        return model;
    }

    @Override
    protected final HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers) {
        EngineModel opened = model;
        return opened == null ? noTensors(path, headers) : answer(path, request, headers, opened);
    }

    private static HttpResponse noTensors(String path, ResponseHeaders headers) {
        return InferenceError.of(
                        404,
                        "there is nothing at %s: the model that is served here is not called with tensors"
                                .formatted(path))
                .withHeaders(headers.toHeaderLines());
    }
}
