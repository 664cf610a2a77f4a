package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Allocation.Candidate;
import io.knabla.controller.spot.policy.Allocation.Weights;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses how many replicas run in which zones. A decision weighs dozens of choices for each of a thousand functions,
 * so a choice is two numbers, and what two zones have to do with each other is worked out once.
 */
final class Allocations {
    private final List<Candidate> zones;
    private final Weights weights;

    /** Probability that the second zone is lost before a loss of the first one is replaced. */
    private final double[][] together;

    /** So many replicas over the first zones, as even as possible, the first ones get more. */
    private record Spread(int count, int zones) {
        int in(int zone) {
            return count / zones + (zone < count % zones ? 1 : 0);
        }
    }

    /** @param zones the best first */
    Allocations(List<Candidate> zones, Weights weights) {
        this.zones = List.copyOf(zones);
        this.weights = weights;
        this.together = together(this.zones, weights);
    }

    private static double[][] together(List<Candidate> zones, Weights weights) {
        List<String> regions = zones.stream().map(zone -> zone.offer().region()).toList();
        double[][] together = new double[zones.size()][zones.size()];
        for (int lost = 0; lost < together.length; lost++) {
            for (int other = 0; other < together.length; other++) {
                boolean near = regions.get(lost).equals(regions.get(other));
                together[lost][other] = near ? weights.amongZones() : weights.overlap(zones.get(other));
            }
        }
        return together;
    }

    /**
     * Of so many replicas as are needed up to twice as many, over one zone or more, returns what costs least.
     *
     * @param leastZones over which replicas are spread if there are so many
     */
    Allocation cheapest(int leastZones) {
        Spread best = new Spread(0, 0);
        double least = Double.POSITIVE_INFINITY;
        for (int count = weights.needed(); count <= 2 * weights.needed(); count++) {
            int most = Math.min(count, zones.size());
            for (int used = Math.min(leastZones, most); used <= most; used++) {
                Spread spread = new Spread(count, used);
                double cost = price(spread) + weights.costOf(breaks(spread));
                if (cost < least) {
                    least = cost;
                    best = spread;
                }
            }
        }
        return spread(best.count(), best.zones());
    }

    Allocation spread(int count, int used) {
        Spread spread = new Spread(count, used);
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < spread.zones(); i++) {
            counts.put(zones.get(i).offer().zone(), spread.in(i));
        }
        double breaks = breaks(spread);
        return new Allocation(counts, breaks, price(spread) + weights.costOf(breaks));
    }

    private double price(Spread spread) {
        double price = 0;
        for (int i = 0; i < spread.zones(); i++) {
            Candidate zone = zones.get(i);
            int replicas = spread.in(i);
            int launched = Math.max(0, replicas - zone.held());
            price += zone.offer().relativePrice() * (replicas + launched * weights.gapHours());
        }
        return price;
    }

    private double breaks(Spread spread) {
        double breaks = 0;
        for (int i = 0; i < spread.zones(); i++) {
            Candidate zone = zones.get(i);
            double whole = spread.in(i) == 1 ? 1 : weights.withinZone();
            breaks += zone.lossesPerHour() * whole * breaksAfter(i, spread.count() - spread.in(i), spread);
            double again = spread.count() - 2 < weights.needed() ? weights.overlap(zone) : 0;
            double single = breaksAfter(i, spread.count() - 1, spread) + again;
            breaks += zone.lossesPerHour() * (1 - whole) * Math.min(1, single);
        }
        return breaks;
    }

    /** Probability that a loss in one zone, which leaves so many replicas, makes them too few. */
    private double breaksAfter(int lost, int left, Spread spread) {
        if (left < weights.needed()) {
            return 1;
        }
        double second = 0;
        for (int other = 0; other < spread.zones(); other++) {
            boolean tooFew = left - spread.in(other) < weights.needed();
            second += other != lost && tooFew ? together[lost][other] : 0;
        }
        return Math.min(1, second);
    }
}
