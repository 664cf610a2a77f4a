package io.knabla.controller.cluster.knative.manifest;

import java.util.Optional;

/**
 * What a cluster offers now.
 *
 * @param tooOld why this Knative cannot be worked with, and what to do; empty for one that can
 */
public record Terrain(Supply supply, Features features, Limits limits, Optional<String> tooOld) {
    public Terrain(Supply supply, Features features, Limits limits) {
        this(supply, features, limits, Optional.empty());
    }
}
