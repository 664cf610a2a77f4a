package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.VersionKey;

/** Error messages of requests that the gateway rejects, each with cause and remedy. */
final class ErrorMessages {
    private ErrorMessages() {}

    static String queueFull(int waiting, VersionKey key) {
        return "%d requests wait for %s already; try again soon, or raise spec.scaling.max or concurrency"
                .formatted(waiting, key);
    }

    static String noConnection(VersionKey key) {
        return "no replica of %s takes connections".formatted(key);
    }

    static String tooLarge(long mostBytes) {
        return "the request's body is larger than %d bytes; send fewer or smaller tensors".formatted(mostBytes);
    }

    /**
     * @param arrived whether enough of the body had arrived to forward it
     * @param endpoint the replica it was sent to; null while it waited
     */
    static String timeout(long timeoutMillis, boolean arrived, Endpoint endpoint) {
        String where;
        if (endpoint != null) {
            where = "in replica " + endpoint.replica.id();
        } else {
            where = arrived ? "while it waited for a replica" : "while its body was still being sent";
        }
        return "no answer within %d ms (spec.timeout), the time ran out %s".formatted(timeoutMillis, where);
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
