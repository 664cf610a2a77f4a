package io.knabla.controller.knative.status;

/**
 * Why a replica does not run, and what to do about it.
 *
 * @param reason becomes the condition's reason, for machines
 * @param message for people: what failed, where, and the remedy
 */
record Trouble(Stage stage, String reason, String message) {
    /** Stage of the failure: {@code PLACING} makes {@code Placed} False, {@code RUNNING} affects only {@code Ready}. */
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

    ConditionResult verdict(int version) {
        return ConditionResult.no(reason, ConditionResult.prefix(version) + message);
    }
}
