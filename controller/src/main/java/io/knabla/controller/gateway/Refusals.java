package io.knabla.controller.gateway;

import io.knabla.controller.scale.VersionKey;

/** The sentences with which the gateway turns a request away: what happened, and what to do. */
final class Refusals {
    private Refusals() {}

    static String full(int waiting, VersionKey key) {
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
     * @param arrived whether it had come far enough to be looked at
     * @param upstream where it was, null while it waited
     */
    static String timeIsOver(long timeoutMillis, boolean arrived, Upstream upstream) {
        String where;
        if (upstream != null) {
            where = "in replica " + upstream.replica.id();
        } else {
            where = arrived ? "while it waited for a replica" : "while its body was on its way";
        }
        return "no answer within %d ms (spec.timeout), the time ran out %s".formatted(timeoutMillis, where);
    }

    /**
     * @param cause null where the replica said so itself
     * @param sends how often the request was sent
     * @param idempotent whether doing it twice is as good as once
     */
    static String ended(Upstream failed, Throwable cause, int sends, boolean idempotent) {
        String what = cause == null ? "it is stopping" : String.valueOf(cause.getMessage());
        String repeated;
        if (sends > 1) {
            repeated = "so did another one, so the request may be what ends them";
        } else if (idempotent) {
            repeated = "the request was not repeated, because it is large";
        } else {
            repeated =
                    "the request was not repeated, because its step may be counted already; the output 'step' of the next answer tells";
        }
        return "replica %s ended before it answered (%s); %s".formatted(failed.replica.id(), what, repeated);
    }
}
