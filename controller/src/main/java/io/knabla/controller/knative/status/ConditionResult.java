package io.knabla.controller.knative.status;

/**
 * Status, reason and message of a condition, still without its timestamps.
 *
 * @param reason one word in CamelCase, as Kubernetes requires
 */
record ConditionResult(Truth truth, String reason, String message) {
    enum Truth {
        True,
        False,
        Unknown
    }

    static ConditionResult yes(String reason, String message) {
        return new ConditionResult(Truth.True, reason, message);
    }

    static ConditionResult no(String reason, String message) {
        return new ConditionResult(Truth.False, reason, message);
    }

    static ConditionResult unknown(String reason, String message) {
        return new ConditionResult(Truth.Unknown, reason, message);
    }

    ConditionResult and(String more) {
        return new ConditionResult(truth, reason, message + "; " + more);
    }
}
