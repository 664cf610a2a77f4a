package io.knabla.controller.cluster.knative.manifest;

/** What a cluster offers now. */
public record Terrain(Supply supply, Features features, Limits limits) {}
