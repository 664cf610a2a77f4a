package io.knabla.runtime.inference;

import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.serve.FailureLog;
import io.knabla.runtime.serve.ReplicaState;
import io.knabla.runtime.serve.ResponseHeaders;
import io.knabla.runtime.tesseract.TesseractCalls;

/** The protocol of Tesseract clients: counts its calls, and maps their failures to statuses. */
final class TesseractEndpoints extends EngineEndpoints {
    private final ReplicaState state;

    /** Made on the first such call, to keep it out of every cold start. */
    private TesseractCalls calls;

    TesseractEndpoints(ReplicaState state) {
        super(state);
        this.state = state;
    }

    @Override
    public String method(String path) {
        return switch (path) {
            case "/health", "/openapi.json" -> "GET";
            case "/apply",
                    "/jacobian",
                    "/jacobian_vector_product",
                    "/vector_jacobian_product",
                    "/hessian_vector_product",
                    "/abstract_eval" -> "POST";
            default -> null;
        };
    }

    private synchronized TesseractCalls calls(EngineModel opened) {
        if (calls == null) {
            var settings = state.settings();
            calls = new TesseractCalls(
                    opened.engine(), opened.manifest(), settings.model(), settings.version(), state.metrics()::counted);
        }
        return calls;
    }

    @Override
    HttpResponse answer(String path, HttpRequest request, ResponseHeaders headers, EngineModel opened) {
        HttpResponse response = answered(path, request, opened);
        long nanos = System.nanoTime() - request.arrived();
        if (response.status() < 400) {
            state.metrics().succeeded(nanos, 0, 0);
        } else {
            state.metrics().failed(response.status(), nanos);
        }
        return response.withHeaders(headers.toHeaderLines());
    }

    private HttpResponse answered(String path, HttpRequest request, EngineModel opened) {
        try {
            return calls(opened).answer(path, request);
        } catch (EngineException failed) {
            int status = InferHandler.status(failed.code());
            if (status >= 500) {
                FailureLog.failed(request, failed.getMessage());
            }
            HttpResponse response = failed(status, failed.getMessage());
            return InferHandler.isRetryable(failed.code()) ? response.withHeaders("Retry-After: 1\r\n") : response;
        } catch (OutOfMemoryError full) {
            FailureLog.failed(request, OUT_OF_MEMORY);
            return failed(503, OUT_OF_MEMORY);
        } catch (RuntimeException bug) {
            FailureLog.failed(request, bug.toString());
            bug.printStackTrace();
            return failed(500, INTERNAL_ERROR);
        }
    }

    private static HttpResponse failed(int status, String sentence) {
        return HttpResponse.json(status, TesseractCalls.error(sentence));
    }
}
