package io.knabla.controller.local.gateway;

import io.knabla.controller.platform.VersionKey;
import java.time.Duration;
import java.util.Optional;

/** Error messages of requests that the gateway rejects, each with cause and remedy. */
final class ErrorMessages {
    private ErrorMessages() {}

    static String queueFull(int waiting, VersionKey key) {
        return "%d requests wait for %s already; try again soon, or raise spec.scaling.max or concurrency"
                .formatted(waiting, key);
    }

    static String bodyTimeout(long millis) {
        return "the request's body did not arrive within the function's timeout of %d ms; send it faster, or raise spec.timeout"
                .formatted(millis);
    }

    static String noConnection(VersionKey key) {
        return "no replica of %s takes connections".formatted(key);
    }

    static String functionHoldsTooMuch(VersionKey key, long mostBytes) {
        return "the requests of %s that are under way hold %d bytes of bodies; try again soon, or send less at once"
                .formatted(key, mostBytes);
    }

    static String fatal(VersionKey key, Duration left) {
        return "two replicas of %s ended on this very request; it is refused for %d more seconds, then it may be tried again"
                .formatted(key, left.toSeconds() + 1);
    }

    static String timeout(long timeoutMillis, String replica) {
        return "no answer within %d ms (spec.timeout), the time ran out in replica %s"
                .formatted(timeoutMillis, replica);
    }

    /** @param why there was no replica, if that is known */
    static String waitedInVain(long timeoutMillis, Optional<String> why) {
        return "no answer within %d ms (spec.timeout), the time ran out while it waited for a replica%s"
                .formatted(timeoutMillis, why.map(": "::concat).orElse(""));
    }

    /**
     * @param cause null if the replica itself answered 503
     * @param sends how often the request was sent
     * @param idempotent whether the request may be sent twice
     */
    static String replicaEnded(Endpoint failed, Throwable cause, int sends, boolean idempotent) {
        String what = cause == null ? "it is stopping" : String.valueOf(cause.getMessage());
        String repeated;
        if (sends > 1) {
            repeated = "a second replica ended too, so the request itself may be the cause";
        } else if (idempotent) {
            repeated = "the request was not repeated, because it is large";
        } else {
            repeated =
                    "the request was not repeated, because its step may be counted already; compare the output 'step' of the next answer";
        }
        return "replica %s ended before it answered (%s); %s".formatted(failed.replica.id(), what, repeated);
    }
}
