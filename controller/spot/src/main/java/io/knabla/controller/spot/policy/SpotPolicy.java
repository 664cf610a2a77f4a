package io.knabla.controller.spot.policy;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides how many replicas run, on which capacity and in which zones. Immutable: what it learns is in the next one.
 */
public interface SpotPolicy {
    /** @param random for choices that the policy makes by chance; the same numbers give the same decision */
    Decision decide(FleetState fleet, RandomGenerator random);

    /** What it knows of the zones, which may be stored; empty if it learns nothing that is worth it. */
    default Optional<FleetRisk> learned() {
        return Optional.empty();
    }

    /** The same policy with what another one has learned. */
    default SpotPolicy with(FleetRisk learned) {
        return this;
    }
}
