package io.knabla.controller.knative.manifest;

import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.SpotRoom;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import java.util.Optional;

/**
 * Capabilities of a cluster: its capacity slots, enabled pod fields and limits of Knative.
 *
 * @param tooOld why this Knative release is not supported, and what to do; empty for a supported one
 */
public record ClusterCapabilities(
        AvailableCapacity capacity, Features features, Limits limits, Optional<String> tooOld) {
    public ClusterCapabilities(AvailableCapacity supply, Features features, Limits limits) {
        this(supply, features, limits, Optional.empty());
    }

    public ClusterCapabilities with(SpotRoom room) {
        return new ClusterCapabilities(capacity.with(room), features, limits, tooOld);
    }
}
