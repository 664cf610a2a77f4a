package io.knabla.controller.knative.manifest;

import io.knabla.controller.knative.capacity.AvailableCapacity;
import io.knabla.controller.knative.capacity.SpotRoom;
import io.knabla.controller.knative.settings.Features;
import io.knabla.controller.knative.settings.Limits;
import io.knabla.controller.spot.live.CapacitySplit;
import java.util.Map;
import java.util.Optional;

/**
 * Capabilities of a cluster: its capacity slots, enabled pod fields and limits of Knative.
 *
 * @param tooOld why this Knative release is not supported, and what to do; empty for a supported one
 * @param splits by version of the function to roll out, where its spot policy decides
 */
public record ClusterCapabilities(
        AvailableCapacity capacity,
        Features features,
        Limits limits,
        Optional<String> tooOld,
        Map<Integer, CapacitySplit> splits) {
    public ClusterCapabilities {
        splits = Map.copyOf(splits);
    }

    public ClusterCapabilities(AvailableCapacity supply, Features features, Limits limits, Optional<String> tooOld) {
        this(supply, features, limits, tooOld, Map.of());
    }

    public ClusterCapabilities(AvailableCapacity supply, Features features, Limits limits) {
        this(supply, features, limits, Optional.empty());
    }

    /** The same cluster for one function. */
    public ClusterCapabilities with(SpotRoom room, Map<Integer, CapacitySplit> policySplits) {
        return new ClusterCapabilities(capacity.with(room), features, limits, tooOld, policySplits);
    }

    Optional<CapacitySplit> split(int version) {
        return Optional.ofNullable(splits.get(version));
    }
}
