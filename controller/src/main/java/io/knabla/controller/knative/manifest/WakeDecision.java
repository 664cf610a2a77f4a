package io.knabla.controller.knative.manifest;

import java.util.Optional;

/** Decides where the requests of a function go whose namespace has a wake pool: a pure decision. */
public record WakeDecision(Place place, String reason) {
    /** Who answers. */
    public enum Place {
        OWN,
        POOL,
        /** The pool, while a pod of the function starts. */
        POOL_WHILE_STARTING
    }

    /**
     * What the decision depends on.
     *
     * @param unfit why the function must not be in a pool; empty if it may
     * @param sleeps whether its requests go to the pool now
     * @param replicas ready pods of its own
     * @param minimum pods of its own that must run without requests
     */
    public record Facts(
            Optional<String> unfit, boolean ready, boolean calledOften, boolean sleeps, int replicas, int minimum) {}

    static WakeDecision decide(Facts facts) {
        if (facts.unfit.isPresent()) {
            return new WakeDecision(Place.OWN, facts.unfit.get());
        }
        if (facts.replicas > 0) {
            return new WakeDecision(Place.OWN, "a pod of its own is ready");
        }
        if (!facts.ready) {
            return new WakeDecision(Place.OWN, "the pool is not ready");
        }
        if (facts.minimum > 0) {
            return facts.sleeps
                    ? new WakeDecision(Place.POOL_WHILE_STARTING, "a minimum of pods is wanted")
                    : new WakeDecision(Place.OWN, "a minimum of pods is wanted");
        }
        if (!facts.sleeps) {
            return new WakeDecision(Place.POOL, "it has no pods");
        }
        return facts.calledOften
                ? new WakeDecision(Place.POOL_WHILE_STARTING, "it is called often")
                : new WakeDecision(Place.POOL, "it is called rarely");
    }
}
