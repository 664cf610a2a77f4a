package io.knabla.controller.cluster.knative.diagnose;

/**
 * Why a replica does not run, and what to do.
 *
 * @param reason for machines: the condition's reason
 * @param message for people: what, where, the cure
 */
record Trouble(Stage stage, String reason, String message) {
    /** How far a replica came: one that found no node is {@code Placed=False}, one that found it is not ready. */
    enum Stage {
        PLACING,
        RUNNING
    }

    static Trouble placing(String reason, String message) {
        return new Trouble(Stage.PLACING, reason, message);
    }

    static Trouble running(String reason, String message) {
        return new Trouble(Stage.RUNNING, reason, message);
    }

    Verdict verdict(int version) {
        return Verdict.no(reason, Scene.prefix(version) + message);
    }
}
