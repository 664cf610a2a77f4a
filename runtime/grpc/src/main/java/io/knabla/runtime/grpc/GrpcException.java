package io.knabla.runtime.grpc;

import io.knabla.runtime.http.HttpResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Ends a call with a status and a sentence. */
final class GrpcException extends RuntimeException {
    private final GrpcStatus status;
    private final String headers;

    GrpcException(GrpcStatus status, String sentence) {
        this(status, sentence, "");
    }

    /** @param headers lines that say more, each ended by CR LF */
    private GrpcException(GrpcStatus status, String sentence, String headers) {
        super(sentence, null, false, false);
        this.status = status;
        this.headers = headers;
    }

    /** The refusal that an HTTP answer states. */
    static GrpcException of(HttpResponse refusal) {
        return new GrpcException(
                GrpcStatus.ofHttp(refusal.status()), sentence(refusal), CallHeaders.ofAnswer(refusal.headers()));
    }

    private static String sentence(HttpResponse refusal) {
        try {
            return Json.text(Json.read(refusal.body(), refusal.length()), "error");
        } catch (IOException noJson) {
            return new String(refusal.body(), 0, refusal.length(), StandardCharsets.UTF_8);
        }
    }

    GrpcStatus status() {
        return status;
    }

    String headers() {
        return headers;
    }
}
