package io.knabla.storage.s3.faults;

import java.time.Duration;
import java.util.OptionalInt;

/** What happens to one request or its answer. */
public sealed interface Fault {
    record None() implements Fault {}

    record Latency(Duration pause) implements Fault {}

    /** The connection is reset once the head of the request is in. */
    record ResetBefore() implements Fault {}

    /**
     * The server gets a part of the request and a reset, the client a reset.
     *
     * @param part of the body that arrives, or of the head where there is no body, from 0 to 1
     */
    record ResetAmid(double part) implements Fault {}

    /** The server acts; its answer never arrives. */
    record AnswerLost() implements Fault {}

    /**
     * The answer ends early.
     *
     * @param part of the answer that arrives, its head included, from 0 to 1
     * @param reset whether the connection ends with a reset, else as if all were well
     */
    record Cut(double part, boolean reset) implements Fault {}

    /**
     * An error that is the server's own.
     *
     * @param acted whether the server does what was asked all the same
     */
    record Refused(Refusal refusal, OptionalInt retryAfterSeconds, boolean acted) implements Fault {}

    /** Another writer comes first. */
    record Race() implements Fault {}

    /** The answer comes in pieces with pauses between them. */
    record Trickle(int pieces, Duration pause) implements Fault {}

    /**
     * The server gets the request twice, one after the other.
     *
     * @param second which of the answers the client gets
     */
    record Duplicate(boolean second) implements Fault {}

    /** Errors in S3's own words. */
    enum Refusal {
        INTERNAL_ERROR(500, "InternalError", "We encountered an internal error. Please try again."),
        SLOW_DOWN(503, "SlowDown", "Please reduce your request rate.");

        final int status;
        final String code;
        final String message;

        Refusal(int status, String code, String message) {
            this.status = status;
            this.code = code;
            this.message = message;
        }
    }
}
