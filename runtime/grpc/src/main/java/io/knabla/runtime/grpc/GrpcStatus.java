package io.knabla.runtime.grpc;

import java.nio.charset.StandardCharsets;

/** Status codes of gRPC that this service answers with; an ordinal is not the code. */
enum GrpcStatus {
    OK(0),
    CANCELLED(1),
    UNKNOWN(2),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    PERMISSION_DENIED(7),
    RESOURCE_EXHAUSTED(8),
    ABORTED(10),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14),
    UNAUTHENTICATED(16);

    /** Longer sentences are cut: clients limit the size of trailers. */
    private static final int MOST_BYTES = 2000;

    private final int code;

    GrpcStatus(int code) {
        this.code = code;
    }

    /** The status that says what an HTTP status says. */
    static GrpcStatus ofHttp(int status) {
        return switch (status) {
            case 200 -> OK;
            case 400, 411, 415, 417, 422 -> INVALID_ARGUMENT;
            case 401 -> UNAUTHENTICATED;
            case 403 -> PERMISSION_DENIED;
            case 404 -> NOT_FOUND;
            case 405, 501 -> UNIMPLEMENTED;
            case 408, 504 -> DEADLINE_EXCEEDED;
            case 409, 412 -> ABORTED;
            case 413, 429, 431, 507 -> RESOURCE_EXHAUSTED;
            case 499 -> CANCELLED;
            case 500 -> INTERNAL;
            case 502, 503 -> UNAVAILABLE;
            default -> UNKNOWN;
        };
    }

    /** Lines of the trailers that end a call with this status. */
    String lines(String sentence) {
        String message = sentence.isEmpty() ? "" : "grpc-message: " + encoded(sentence) + "\r\n";
        return "grpc-status: " + code + "\r\n" + message;
    }

    /** Percent-encodes what a header may not contain, as gRPC's protocol over HTTP/2 says. */
    private static String encoded(String sentence) {
        var text = new StringBuilder(sentence.length() + 16);
        for (byte b : sentence.getBytes(StandardCharsets.UTF_8)) {
            if (text.length() > MOST_BYTES) {
                break;
            }
            if (b >= ' ' && b < 0x7f && b != '%') {
                text.append((char) b);
            } else {
                text.append("%%%02X".formatted(b & 0xff));
            }
        }
        return text.toString();
    }
}
