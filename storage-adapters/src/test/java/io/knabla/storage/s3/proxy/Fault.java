package io.knabla.storage.s3.proxy;

import java.time.Duration;
import java.util.OptionalInt;

/** A fault that the proxy injects into one request or its response. */
public sealed interface Fault {
    record None() implements Fault {}

    record Latency(Duration pause) implements Fault {}

    /** Resets the connection when the header of the request has arrived. */
    record ResetBeforeRequest() implements Fault {}

    /**
     * Sends a part of the request to the server, then resets both connections.
     *
     * @param part fraction of the body that arrives, or of the header if there is no body, from 0 to 1
     */
    record ResetMidRequest(double part) implements Fault {}

    /** The server performs the request; its response never arrives. */
    record ResponseLost() implements Fault {}

    /**
     * Truncates the response.
     *
     * @param part fraction of the response that arrives, including its header, from 0 to 1
     * @param reset whether the connection is reset; otherwise it is closed normally
     */
    record Truncated(double part, boolean reset) implements Fault {}

    /**
     * Returns an error response of S3.
     *
     * @param acted whether the server performs the request nevertheless
     */
    record Refused(S3Error refusal, OptionalInt retryAfterSeconds, boolean acted) implements Fault {}

    /** Another writer writes before the request is forwarded. */
    record Race() implements Fault {}

    /** Sends the response in pieces with pauses between them. */
    record Trickle(int pieces, Duration pause) implements Fault {}

    /**
     * Sends the request to the server twice, sequentially.
     *
     * @param second whether the client gets the second response, not the first
     */
    record Duplicate(boolean second) implements Fault {}

    /** Error responses in the format of S3. */
    enum S3Error {
        INTERNAL_ERROR(500, "InternalError", "We encountered an internal error. Please try again."),
        SLOW_DOWN(503, "SlowDown", "Please reduce your request rate.");

        final int status;
        final String code;
        final String message;

        S3Error(int status, String code, String message) {
            this.status = status;
            this.code = code;
            this.message = message;
        }
    }
}
