package io.knabla.controller.spot.policy;

/** @param next the policy with what it has learnt, for the next decision */
public record Decision(Plan plan, SpotPolicy next) {}
