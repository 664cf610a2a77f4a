package io.knabla.controller.knative.status;

import io.knabla.controller.knative.resource.Reason;
import io.knabla.controller.knative.status.ConditionResult.Truth;

/**
 * Reason why a replica does not run, with its remedy.
 *
 * @param reason becomes the condition's reason: the name of a {@link Reason}, or a word of Kubernetes or Knative
 * @param message for people: what failed, where, and the remedy
 */
record Trouble(Stage stage, String reason, String message) {
    /** Stage of the failure: {@code PLACING} makes {@code Placed} False, {@code RUNNING} affects only {@code Ready}. */
    enum Stage {
        PLACING,
        RUNNING
    }

    static Trouble placing(Reason reason, String message) {
        return new Trouble(Stage.PLACING, reason.name(), message);
    }

    static Trouble running(Reason reason, String message) {
        return new Trouble(Stage.RUNNING, reason.name(), message);
    }

    /** @param reason of Kubernetes or Knative, passed on */
    static Trouble running(String reason, String message) {
        return new Trouble(Stage.RUNNING, reason, message);
    }

    boolean has(Reason other) {
        return reason.equals(other.name());
    }

    ConditionResult verdict(int version) {
        return new ConditionResult(Truth.False, reason, ConditionResult.prefix(version) + message);
    }
}
