package io.knabla.controller.knative.status;

import io.knabla.controller.knative.resource.Reason;

/**
 * Status, reason and message of a condition, still without its timestamps.
 *
 * @param reason the name of a {@link Reason}, or a word of Kubernetes or Knative that is passed on
 */
record ConditionResult(Truth truth, String reason, String message) {
    enum Truth {
        True,
        False,
        Unknown
    }

    static ConditionResult yes(Reason reason, String message) {
        return new ConditionResult(Truth.True, reason.name(), message);
    }

    static ConditionResult no(Reason reason, String message) {
        return new ConditionResult(Truth.False, reason.name(), message);
    }

    static ConditionResult unknown(Reason reason, String message) {
        return new ConditionResult(Truth.Unknown, reason.name(), message);
    }

    ConditionResult and(String more) {
        return new ConditionResult(truth, reason, message + "; " + more);
    }
}
