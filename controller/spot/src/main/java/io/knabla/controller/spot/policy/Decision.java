package io.knabla.controller.spot.policy;

/**
 * The answer of a policy: what to do now, and what the policy remembers.
 *
 * @param next the policy with what it has learnt, for the next decision
 */
public record Decision(Plan plan, SpotPolicy next) {}
