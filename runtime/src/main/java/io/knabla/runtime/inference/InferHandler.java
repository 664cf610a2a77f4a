package io.knabla.runtime.inference;

import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.errors.InferenceError;
import io.knabla.runtime.http.HttpFault;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.protocol.InferRequest;
import io.knabla.runtime.protocol.ProtocolException;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import io.knabla.runtime.serve.Endpoints;
import io.knabla.runtime.serve.FailureLog;
import io.knabla.runtime.serve.Metrics;
import io.knabla.runtime.serve.ResponseHeaders;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Handles calls with tensors: decodes, runs, encodes, counts, and maps failures to HTTP statuses. */
final class InferHandler {
    private final Engine engine;
    private final int outputs;
    private final Metrics metrics;
    private final InferStatistics statistics;

    /** @param outputs number of outputs that the model has */
    InferHandler(Engine engine, int outputs, Metrics metrics, InferStatistics statistics) {
        this.engine = engine;
        this.outputs = outputs;
        this.metrics = metrics;
        this.statistics = statistics;
    }

    HttpResponse answer(HttpRequest request, ResponseHeaders heading, TensorForm form) {
        try {
            return infer(request, heading, form);
        } catch (ProtocolException refused) {
            return failed(refused.status(), refused.getMessage(), request, heading);
        } catch (EngineException failed) {
            return failed(failed, request, heading);
        } catch (OutOfMemoryError full) {
            FailureLog.failed(request, Endpoints.OUT_OF_MEMORY);
            return failed(503, Endpoints.OUT_OF_MEMORY, request, heading);
        } catch (UncheckedIOException | HttpFault client) {
            throw client;
        } catch (RuntimeException bug) {
            FailureLog.failed(request, bug.toString());
            bug.printStackTrace();
            return failed(500, Endpoints.INTERNAL_ERROR, request, heading);
        }
    }

    private HttpResponse infer(HttpRequest request, ResponseHeaders heading, TensorForm form) {
        long started = System.nanoTime();
        InferRequest infer = form.decode(request);
        long inputNanos = System.nanoTime() - started;
        try {
            return engine.infer(
                    infer.inputs(),
                    infer.wanted(outputs),
                    request.arrived(),
                    infer.timeout(),
                    answer ->
                            encode(request, heading, infer, answer, inputNanos, form.encode(infer, answer.outputs())));
        } catch (EngineException failed) {
            throw failed.code() == EngineException.Code.TIMED_OUT ? late(infer.timeout(), failed) : failed;
        }
    }

    private RuntimeException late(Duration own, EngineException late) {
        return own.isZero() || own.compareTo(engine.settings().timeout()) >= 0
                ? late
                : new ProtocolException(
                        504,
                        "the request was not answered within its own timeout of %d µs (parameter timeout)"
                                .formatted(own.toNanos() / 1000));
    }

    private HttpResponse encode(
            HttpRequest request,
            ResponseHeaders heading,
            InferRequest infer,
            RunResult answer,
            long inputNanos,
            Body body) {
        long elements = Tensor.elements(infer.inputs()) + Tensor.elements(answer.outputs());
        long total = System.nanoTime() - request.arrived();
        metrics.succeeded(total, answer.queueNanos(), answer.inferNanos());
        statistics.succeeded(total, answer.queueNanos(), inputNanos, answer.inferNanos());
        metrics.counted(elements);
        var headers = new StringBuilder(160).append(heading.lines()).append("Server-Timing: queue;dur=");
        millis(headers, answer.queueNanos() - heading.startNanos());
        if (heading.waited()) {
            headers.append(", ").append(heading.phases());
        }
        headers.append(", infer;dur=");
        millis(headers, answer.inferNanos()).append("\r\n");
        String type = HttpResponse.JSON;
        if (body.binary()) {
            type = "application/octet-stream";
            headers.append("Inference-Header-Content-Length: ")
                    .append(body.jsonLength())
                    .append("\r\n");
        }
        return new HttpResponse(200, type, headers.toString(), body.bytes(), body.size());
    }

    /** Appends milliseconds with three decimal places, without the cost of a formatter. */
    private static StringBuilder millis(StringBuilder text, long nanos) {
        long micros = nanos / 1000;
        long places = micros % 1000;
        text.append(micros / 1000).append('.');
        return text.append(places / 100).append(places / 10 % 10).append(places % 10);
    }

    private HttpResponse failed(EngineException failed, HttpRequest request, ResponseHeaders heading) {
        int status = status(failed.code());
        if (status >= 500) {
            FailureLog.failed(request, failed.getMessage());
        }
        HttpResponse response = failed(status, failed.getMessage(), request, heading);
        return isRetryable(failed.code()) ? response.withHeaders("Retry-After: 1\r\n") : response;
    }

    static int status(EngineException.Code code) {
        return switch (code) {
            case BAD_INDEX -> 400;
            case BUSY -> 429;
            case TIMED_OUT -> 504;
            // Not a server error, and a retry elsewhere would not help.
            case NOT_FINITE -> 422;
            case NOT_KEPT, OUT_OF_DEVICE_MEMORY, DEVICE_LOST -> 503;
            case FAILED, UNLOADABLE -> 500;
        };
    }

    /** Whether a retry of the same request may succeed soon. */
    static boolean isRetryable(EngineException.Code code) {
        return switch (code) {
            case BUSY, NOT_KEPT, OUT_OF_DEVICE_MEMORY, DEVICE_LOST -> true;
            case BAD_INDEX, TIMED_OUT, NOT_FINITE, FAILED, UNLOADABLE -> false;
        };
    }

    private HttpResponse failed(int status, String sentence, HttpRequest request, ResponseHeaders heading) {
        long nanos = System.nanoTime() - request.arrived();
        metrics.failed(status, nanos);
        statistics.failed(nanos);
        return InferenceError.of(status, sentence).withHeaders(heading.toHeaderLines());
    }
}
