package io.knabla.controller.spot.policy;

import java.util.Map;

/**
 * Spot replicas by zone, and replicas on demand for which spot capacity has no room.
 *
 * @param counts one entry for each zone that gets replicas, the best zone first
 * @param breaksPerHour expected number of times an hour that a loss leaves fewer replicas than needed
 * @param cost expected, of an hour, relative to an hour of one replica on demand
 */
record Allocation(Map<String, Integer> counts, int onDemand, double breaksPerHour, double cost) {
    /**
     * A zone that can be used.
     *
     * @param held replicas that are there already; to launch others costs their cold start
     * @param room replicas that can be there, one at least
     */
    record Candidate(ZoneOffer offer, double lossesPerHour, int held, int room) {
        static final int UNLIMITED = Integer.MAX_VALUE;
    }

    /**
     * What a choice is weighed by.
     *
     * @param needed replicas that must survive
     * @param gapHours time until a lost replica is replaced
     * @param shortageCost of an hour with fewer replicas than needed, relative to that of the needed ones on demand
     * @param amongZones probability that two zones of a region are lost together
     * @param withinZone probability that all replicas of a zone are lost together
     * @param inPart probability that another replica is lost with one in a zone that keeps some
     */
    record Weights(
            int needed, double gapHours, double shortageCost, double amongZones, double withinZone, double inPart) {
        /** Expected part of the gap in which a second loss, in this zone, is not replaced either. */
        double overlap(Candidate zone) {
            return Math.min(1, zone.lossesPerHour() * gapHours / 2);
        }

        /**
         * Cost of a zone if it had all that is needed, less what the replicas that are there save: a price that changes
         * by less moves no replica.
         */
        double preference(Candidate zone) {
            double saved = Math.min(zone.held(), needed) * gapHours;
            return zone.offer().relativePrice() * (needed - saved) + costOf(zone.lossesPerHour());
        }

        double costOf(double breaksPerHour) {
            return shortageCost * needed * gapHours * breaksPerHour;
        }
    }

    int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
