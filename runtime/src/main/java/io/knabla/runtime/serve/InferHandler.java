package io.knabla.runtime.serve;

import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.engine.EngineException;
import io.knabla.runtime.engine.RunResult;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.http.HttpRequest;
import io.knabla.runtime.http.HttpResponse;
import io.knabla.runtime.protocol.InferRequest;
import io.knabla.runtime.protocol.ProtocolException;
import io.knabla.runtime.protocol.ProtocolResponses;
import io.knabla.runtime.protocol.RequestDecoder;
import io.knabla.runtime.protocol.ResponseEncoder;
import io.knabla.runtime.protocol.ResponseEncoder.Body;
import io.knabla.runtime.protocol.Signature;

/** Handles {@code infer} calls: decodes, runs, encodes, counts, and maps failures to HTTP statuses. */
final class InferHandler {
    static final String OUT_OF_MEMORY =
            "this replica has no memory left for the request; send less at once, or raise resources.memory";

    static final String INTERNAL_ERROR = "the replica failed on this request; its log says more";

    private final Engine engine;
    private final int outputs;
    private final RequestDecoder decoder;
    private final ResponseEncoder encoder;
    private final Metrics metrics;

    InferHandler(Engine engine, Signature signature, String model, String version, Metrics metrics) {
        this.engine = engine;
        this.outputs = signature.outputs().size();
        this.decoder = new RequestDecoder(signature, engine.inputs());
        this.encoder = new ResponseEncoder(model, version);
        this.metrics = metrics;
    }

    HttpResponse answer(HttpRequest request, ResponseHeaders heading) {
        try {
            return infer(request, heading);
        } catch (ProtocolException refused) {
            return failed(refused.status(), refused.getMessage(), request, heading);
        } catch (EngineException failed) {
            return failed(failed, request, heading);
        } catch (OutOfMemoryError full) {
            return failed(503, OUT_OF_MEMORY, request, heading);
        } catch (RuntimeException bug) {
            System.err.println("infer failed: " + bug);
            bug.printStackTrace();
            return failed(500, INTERNAL_ERROR, request, heading);
        }
    }

    private HttpResponse infer(HttpRequest request, ResponseHeaders heading) {
        if (request.header("Content-Encoding") != null) {
            throw new ProtocolException(501, "Content-Encoding is not supported; send the body as it is");
        }
        InferRequest infer =
                decoder.decode(request.body(), request.bodyLength(), request.header("Inference-Header-Content-Length"));
        return engine.infer(
                infer.inputs(),
                infer.wanted(outputs),
                request.arrived(),
                answer -> encode(request, heading, infer, answer));
    }

    private HttpResponse encode(HttpRequest request, ResponseHeaders heading, InferRequest infer, RunResult answer) {
        long elements = Tensor.elements(infer.inputs()) + Tensor.elements(answer.outputs());
        Body body = encoder.encode(infer, answer.outputs());
        metrics.succeeded(System.nanoTime() - request.arrived(), answer.queueNanos(), answer.inferNanos());
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
        HttpResponse response = failed(status(failed.code()), failed.getMessage(), request, heading);
        return isRetryable(failed.code()) ? response.withHeaders("Retry-After: 1\r\n") : response;
    }

    static int status(EngineException.Code code) {
        return switch (code) {
            case BAD_INDEX -> 400;
            case BUSY -> 429;
            case TIMED_OUT -> 504;
            // Not a server error, and a retry elsewhere would not help.
            case NOT_FINITE -> 422;
            case NOT_KEPT -> 503;
            case FAILED, UNLOADABLE -> 500;
        };
    }

    /** Whether a retry of the same request may succeed soon. */
    static boolean isRetryable(EngineException.Code code) {
        return code == EngineException.Code.BUSY || code == EngineException.Code.NOT_KEPT;
    }

    private HttpResponse failed(int status, String sentence, HttpRequest request, ResponseHeaders heading) {
        metrics.failed(status, System.nanoTime() - request.arrived());
        return HttpResponse.json(status, ProtocolResponses.error(sentence)).withHeaders(heading.toHeaderLines());
    }

    static String cut(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
