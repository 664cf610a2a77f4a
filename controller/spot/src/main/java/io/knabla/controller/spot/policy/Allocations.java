package io.knabla.controller.spot.policy;

import io.knabla.controller.spot.policy.Allocation.Candidate;
import io.knabla.controller.spot.policy.Allocation.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Chooses how many replicas run in which zones. A decision weighs dozens of choices for each of a thousand functions,
 * so what two zones have to do with each other is worked out once.
 */
final class Allocations {
    private final List<Candidate> zones;
    private final Weights weights;
    private final int heldOnDemand;

    private final List<Integer> byPreference;

    /** Zones whose risks are nearly equal change places all the time; what runs in them does not. */
    private final List<Integer> mostHeldFirst;

    /** Probability that the second zone is lost before a loss of the first one is replaced. */
    private final double[][] together;

    /** Replicas of the first zones, as even as there is room; and others on demand. */
    private record Spread(List<Integer> counts, int onDemand) {
        int zones() {
            return counts.size();
        }

        int in(int zone) {
            return counts.get(zone);
        }

        int total() {
            int total = onDemand;
            for (int count : counts) {
                total += count;
            }
            return total;
        }
    }

    /**
     * @param zones the best first
     * @param heldOnDemand replicas that are there already, those that must be on demand left out
     */
    Allocations(List<Candidate> zones, Weights weights, int heldOnDemand) {
        this.zones = List.copyOf(zones);
        this.weights = weights;
        this.heldOnDemand = heldOnDemand;
        this.byPreference = IntStream.range(0, zones.size()).boxed().toList();
        this.mostHeldFirst = byPreference.stream()
                .sorted(Comparator.comparingInt(zone -> -this.zones.get(zone).held()))
                .toList();
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
     * Of so many replicas as are needed up to twice as many, over one zone or more, returns what costs least. Extra
     * ones are on demand only if zones that refuse spot replicas leave no room for them.
     *
     * @param leastZones over which replicas are spread if there are so many
     */
    Allocation cheapest(int leastZones) {
        Spread best = new Spread(List.of(), weights.needed());
        double least = Double.POSITIVE_INFINITY;
        for (Spread spread : choices(leastZones)) {
            double cost = cost(spread);
            if (cost < least) {
                least = cost;
                best = spread;
            }
        }
        return allocation(best);
    }

    private List<Spread> choices(int leastZones) {
        List<Spread> choices = new ArrayList<>();
        int most = 2 * weights.needed();
        int room = room(zones.size(), most);
        for (int count = Math.min(weights.needed(), room); count <= room; count++) {
            int missing = Math.max(0, weights.needed() - count);
            int mostOnDemand = room < most ? weights.needed() : missing;
            int mostZones = Math.min(count, zones.size());
            for (int used = Math.min(leastZones, mostZones); used <= mostZones; used++) {
                if (room(used, count) == count) {
                    for (List<Integer> counts : evens(count, used)) {
                        IntStream.rangeClosed(missing, mostOnDemand)
                                .forEach(onDemand -> choices.add(new Spread(counts, onDemand)));
                    }
                }
            }
        }
        return choices;
    }

    /** How many of so many replicas find room in the first zones. */
    private int room(int used, int count) {
        int room = 0;
        for (int i = 0; i < used; i++) {
            room += Math.min(count - room, zones.get(i).room());
        }
        return room;
    }

    private List<List<Integer>> evens(int count, int used) {
        List<Integer> preferred = even(count, used, byPreference);
        List<Integer> held = even(count, used, mostHeldFirst);
        return held.equals(preferred) ? List.of(preferred) : List.of(preferred, held);
    }

    /**
     * The replicas of each of the first zones, which must have room.
     *
     * @param order all zones, those first that get more if the count cannot be even
     */
    private List<Integer> even(int count, int used, List<Integer> order) {
        Integer[] counts = new Integer[used];
        Arrays.fill(counts, 0);
        for (int placed = 0, next = 0; placed < count; next = (next + 1) % order.size()) {
            int zone = order.get(next);
            if (zone < used && counts[zone] < zones.get(zone).room()) {
                counts[zone]++;
                placed++;
            }
        }
        return List.of(counts);
    }

    Allocation spread(int count, int used, int onDemand) {
        return allocation(new Spread(even(count, used, byPreference), onDemand));
    }

    private Allocation allocation(Spread spread) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (int i = 0; i < spread.zones(); i++) {
            counts.put(zones.get(i).offer().zone(), spread.in(i));
        }
        return new Allocation(counts, spread.onDemand(), breaks(spread), cost(spread));
    }

    private double cost(Spread spread) {
        return price(spread) + weights.costOf(breaks(spread));
    }

    private double price(Spread spread) {
        double price = spread.onDemand() + Math.max(0, spread.onDemand() - heldOnDemand) * weights.gapHours();
        for (int i = 0; i < spread.zones(); i++) {
            Candidate zone = zones.get(i);
            int replicas = spread.in(i);
            int launched = Math.max(0, replicas - zone.held());
            price += zone.offer().relativePrice() * (replicas + launched * weights.gapHours());
        }
        return price;
    }

    private double breaks(Spread spread) {
        int total = spread.total();
        double breaks = 0;
        for (int i = 0; i < spread.zones(); i++) {
            double whole = spread.in(i) == 1 ? 1 : weights.withinZone();
            double broken = whole * breaksAfter(i, total - spread.in(i), spread);
            if (whole < 1) {
                broken += (1 - whole) * breaksAfterPart(i, total, spread);
            }
            breaks += zones.get(i).lossesPerHour() * broken;
        }
        return breaks;
    }

    /** Probability that the loss of a replica, and of some others beside it, makes them too few. */
    private double breaksAfterPart(int zone, int total, Spread spread) {
        int others = spread.in(zone) - 1;
        double breaks = 0;
        double probability = Math.pow(1 - weights.inPart(), others);
        for (int more = 0; more <= others; more++) {
            int left = total - 1 - more;
            double again = more < others && left - 1 < weights.needed() ? weights.overlap(zones.get(zone)) : 0;
            breaks += probability * Math.min(1, breaksAfter(zone, left, spread) + again);
            // The next term of the binomial distribution.
            probability *= weights.inPart() / (1 - weights.inPart()) * (others - more) / (more + 1);
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
