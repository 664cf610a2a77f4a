package io.knabla.runtime.serve;

import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.tesseract.TesseractEndpoints;

/** Handles calls to the Tesseract endpoints: delegates them, counts them, maps failures to statuses. */
final class TesseractHandler {
    private final TesseractEndpoints endpoints;
    private final Metrics metrics;

    TesseractHandler(Engine engine, UnitManifest manifest, String model, String version, Metrics metrics) {
        this.endpoints = new TesseractEndpoints(engine, manifest, model, version, metrics::counted);
        this.metrics = metrics;
    }

    HttpResponse answer(String path, HttpRequest request, ResponseHeaders heading) {
        HttpResponse response = answered(path, request);
        long nanos = System.nanoTime() - request.arrived();
        if (response.status() < 400) {
            metrics.succeeded(nanos, 0, 0);
        } else {
            metrics.failed(response.status(), nanos);
        }
        return response.withHeaders(heading.toHeaderLines());
    }

    private HttpResponse answered(String path, HttpRequest request) {
        try {
            return endpoints.answer(path, request);
        } catch (EngineException failed) {
            int status = InferHandler.status(failed.code());
            if (status >= 500) {
                FailureLog.failed(request, failed.getMessage());
            }
            HttpResponse response = failed(status, failed.getMessage());
            return InferHandler.isRetryable(failed.code()) ? response.withHeaders("Retry-After: 1\r\n") : response;
        } catch (OutOfMemoryError full) {
            FailureLog.failed(request, InferHandler.OUT_OF_MEMORY);
            return failed(503, InferHandler.OUT_OF_MEMORY);
        } catch (RuntimeException bug) {
            FailureLog.failed(request, bug.toString());
            bug.printStackTrace();
            return failed(500, InferHandler.INTERNAL_ERROR);
        }
    }

    private static HttpResponse failed(int status, String sentence) {
        return HttpResponse.json(status, TesseractEndpoints.error(sentence));
    }
}
