package io.knabla.controller.spot.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Spot replicas by zone, as even as possible over some zones.
 *
 * @param counts one entry for each zone that has replicas
 * @param breaksPerHour expected number of times an hour that a loss leaves fewer replicas than needed
 * @param cost expected, of an hour, relative to an hour of one replica on demand
 */
record Allocation(Map<String, Integer> counts, double breaksPerHour, double cost) {
    /** A zone that can be used. */
    record Candidate(ZoneOffer offer, double lossesPerHour) {}

    /**
     * What a choice is weighed by.
     *
     * @param needed replicas that must survive
     * @param gapHours time until a lost replica is replaced
     * @param shortageCost of an hour with fewer replicas than needed, relative to that of the needed ones on demand
     * @param amongZones probability that two zones of a region are lost together
     * @param withinZone probability that all replicas of a zone are lost together
     */
    record Weights(int needed, double gapHours, double shortageCost, double amongZones, double withinZone) {
        /** Expected part of the gap in which a second loss, in this zone, is not replaced either. */
        double overlap(Candidate zone) {
            return Math.min(1, zone.lossesPerHour() * gapHours / 2);
        }

        double costOf(double breaksPerHour) {
            return shortageCost * needed * gapHours * breaksPerHour;
        }
    }

    /**
     * @param zones over which {@code count} replicas are spread, the first ones get more
     * @param held replicas that are there already; to launch others costs their cold start
     */
    static Allocation of(List<Candidate> zones, int count, Map<String, Integer> held, Weights weights) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        double price = 0;
        for (int i = 0; i < zones.size(); i++) {
            ZoneOffer offer = zones.get(i).offer();
            int replicas = count / zones.size() + (i < count % zones.size() ? 1 : 0);
            int launched = Math.max(0, replicas - held.getOrDefault(offer.zone(), 0));
            price += offer.relativePrice() * (replicas + launched * weights.gapHours());
            counts.put(offer.zone(), replicas);
        }
        double breaks = breaks(zones, counts, count, weights);
        return new Allocation(counts, breaks, price + weights.costOf(breaks));
    }

    private static double breaks(List<Candidate> zones, Map<String, Integer> counts, int count, Weights weights) {
        double breaks = 0;
        for (Candidate zone : zones) {
            int replicas = counts.get(zone.offer().zone());
            double whole = replicas == 1 ? 1 : weights.withinZone();
            breaks += zone.lossesPerHour() * whole * breaksAfter(zone, count - replicas, zones, counts, weights);
            double again = count - 2 < weights.needed() ? weights.overlap(zone) : 0;
            double single = breaksAfter(zone, count - 1, zones, counts, weights) + again;
            breaks += zone.lossesPerHour() * (1 - whole) * Math.min(1, single);
        }
        return breaks;
    }

    /** Probability that a loss in one zone, which leaves so many replicas, makes them too few. */
    private static double breaksAfter(
            Candidate lost, int left, List<Candidate> zones, Map<String, Integer> counts, Weights weights) {
        if (left < weights.needed()) {
            return 1;
        }
        double second = 0;
        for (Candidate other : zones) {
            boolean tooFew = left - counts.get(other.offer().zone()) < weights.needed();
            second += other != lost && tooFew ? together(lost, other, weights) : 0;
        }
        return Math.min(1, second);
    }

    /** Probability that another zone is lost before the first loss is replaced. */
    private static double together(Candidate lost, Candidate other, Weights weights) {
        return other.offer().region().equals(lost.offer().region()) ? weights.amongZones() : weights.overlap(other);
    }

    /** All that are considered: so many needed replicas up to twice as many, over one zone or more. */
    static List<Allocation> all(List<Candidate> zones, int leastZones, Map<String, Integer> held, Weights weights) {
        List<Allocation> all = new ArrayList<>();
        for (int count = weights.needed(); count <= 2 * weights.needed(); count++) {
            int most = Math.min(count, zones.size());
            for (int used = Math.min(leastZones, most); used <= most; used++) {
                all.add(of(zones.subList(0, used), count, held, weights));
            }
        }
        return all;
    }
}
