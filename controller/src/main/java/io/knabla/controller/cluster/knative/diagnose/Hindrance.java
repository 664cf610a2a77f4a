package io.knabla.controller.cluster.knative.diagnose;

/**
 * What forbids a function's pods before any is made.
 *
 * @param reason for machines: the condition's reason, as in {@code FeatureDisabled}
 * @param message for people: what to change
 */
public record Hindrance(String reason, String message) {}
