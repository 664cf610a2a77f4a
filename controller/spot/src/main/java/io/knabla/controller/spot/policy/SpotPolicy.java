package io.knabla.controller.spot.policy;

import java.util.random.RandomGenerator;

/**
 * Decides how many replicas run, on which capacity and in which zones. Immutable: what it learns is in the next one.
 */
public sealed interface SpotPolicy
        permits OnDemandOnly, SpotOnly, StaticMix, SpotHedge, UniformProgress, Omniscient, Adaptive {
    /** @param random for choices that the policy makes by chance; the same numbers give the same decision */
    Decision decide(FleetState fleet, RandomGenerator random);
}
