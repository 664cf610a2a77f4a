package io.knabla.controller.spot.live;

/**
 * How many replicas of a version a spot policy wants on each capacity type.
 *
 * @param target replicas that the load needs
 * @param spot replicas on spot capacity, those without a node included
 * @param onDemand replicas on demand
 */
public record CapacitySplit(int target, int spot, int onDemand) {
    public CapacitySplit {
        if (target < 0 || spot < 0 || onDemand < 0) {
            throw new IllegalArgumentException(
                    "counts must not be negative, but are %d, %d, %d".formatted(target, spot, onDemand));
        }
    }
}
