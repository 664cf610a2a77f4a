package io.knabla.controller.cluster.knative.diagnose;

/**
 * Status, reason and message of a condition, still without its timestamps.
 *
 * @param reason one word in CamelCase, as Kubernetes requires
 */
record Verdict(Truth truth, String reason, String message) {
    enum Truth {
        True,
        False,
        Unknown
    }

    static Verdict yes(String reason, String message) {
        return new Verdict(Truth.True, reason, message);
    }

    static Verdict no(String reason, String message) {
        return new Verdict(Truth.False, reason, message);
    }

    static Verdict unknown(String reason, String message) {
        return new Verdict(Truth.Unknown, reason, message);
    }

    Verdict and(String more) {
        return new Verdict(truth, reason, message + "; " + more);
    }
}
