package io.knabla.runtime.serve;

import io.knabla.functions.unit.UnitManifest;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.serve.http.HttpRequest;
import io.knabla.runtime.serve.http.HttpResponse;
import io.knabla.runtime.serve.tesseract.Tesseract;

/** Handles calls to the Tesseract endpoints: delegates them, counts them, maps failures to statuses. */
final class Derivatives {
    private final Tesseract endpoints;
    private final Metrics metrics;

    Derivatives(Engine engine, UnitManifest manifest, String model, String version, Metrics metrics) {
        this.endpoints = new Tesseract(engine, manifest, model, version);
        this.metrics = metrics;
    }

    HttpResponse answer(String path, HttpRequest request, Heading heading) {
        HttpResponse response = answered(path, request);
        if (response.status() < 400) {
            metrics.succeeded(System.nanoTime() - request.arrived(), 0, 0);
        } else {
            metrics.failed(response.status());
        }
        return response.with(heading.alone());
    }

    private HttpResponse answered(String path, HttpRequest request) {
        try {
            return endpoints.answer(path, request);
        } catch (EngineException failed) {
            HttpResponse response = failed(Inference.status(failed.code()), failed.getMessage());
            return Inference.retry(failed.code()) ? response.with("Retry-After: 1\r\n") : response;
        } catch (OutOfMemoryError full) {
            return failed(503, Inference.FULL);
        } catch (RuntimeException bug) {
            System.err.println(path + " failed: " + bug);
            bug.printStackTrace();
            return failed(500, Inference.BUG);
        }
    }

    private static HttpResponse failed(int status, String sentence) {
        return HttpResponse.json(status, Tesseract.error(sentence));
    }
}
