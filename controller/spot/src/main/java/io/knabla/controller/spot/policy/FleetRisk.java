package io.knabla.controller.spot.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Estimates how often each zone takes spot replicas back, from the events seen so far.
 *
 * @param at time of the last decision; empty before the first
 * @param recentLosses by region, discounted by half after half an hour
 * @param amongZones of a region: whether another zone is lost when one is
 * @param withinZone whether all replicas of a zone are lost when one is
 * @param inPart whether another replica of a zone is lost when one is, but not all are
 */
public record FleetRisk(
        Optional<Instant> at,
        Map<String, ZoneRisk> zones,
        Map<String, Double> recentLosses,
        Correlation amongZones,
        Correlation withinZone,
        Correlation inPart) {
    private static final double SHOCK_HALF_LIFE_HOURS = 0.5;

    /**
     * As long as little is known, one zone in three is lost with its neighbour, and one loss in two takes the whole
     * zone. That a tenth of the others goes with one replica lies between the bundled traces of p3 nodes and SpotServe.
     */
    static final FleetRisk UNKNOWN = new FleetRisk(
            Optional.empty(),
            Map.of(),
            Map.of(),
            Correlation.prior(3, 1),
            Correlation.prior(2, 1),
            Correlation.prior(4, 0.4));

    public FleetRisk {
        zones = Map.copyOf(zones);
        recentLosses = Map.copyOf(recentLosses);
    }

    double lossesPerHour(ZoneOffer offer) {
        return zone(offer.zone()).lossesPerHour(offer) * (1 + recentLosses.getOrDefault(offer.region(), 0.0));
    }

    /** As another process or version learned it. */
    FleetRisk recalled() {
        Map<String, ZoneRisk> recalled = new HashMap<>();
        zones.forEach((zone, risk) -> recalled.put(zone, risk.recalled()));
        return new FleetRisk(at, recalled, recentLosses, amongZones, withinZone, inPart);
    }

    /** With what is known of zones, and nothing of which replicas are lost together. */
    public FleetRisk withoutCorrelations() {
        return new FleetRisk(at, zones, recentLosses, UNKNOWN.amongZones, UNKNOWN.withinZone, UNKNOWN.inPart);
    }

    boolean isBlocked(String zone) {
        return zone(zone).isBlocked();
    }

    private ZoneRisk zone(String zone) {
        return zones.getOrDefault(zone, ZoneRisk.UNKNOWN);
    }

    /** What is known when the fleet has this state. */
    FleetRisk observed(FleetState fleet) {
        double hours = at.map(before -> Duration.between(before, fleet.now()).toNanos() / 3.6e12)
                .orElse(0.0);
        Map<String, Long> held = count(fleet.spot().stream().map(Replica::offering));
        Map<String, Long> lost = count(events(fleet, CapacityEvent.Kind.INTERRUPTED));
        Map<String, Long> refused = count(events(fleet, CapacityEvent.Kind.LAUNCH_REFUSED));
        Map<String, Long> roomy = count(events(fleet, CapacityEvent.Kind.ROOM_RETURNED));
        Map<String, ZoneRisk> next = new HashMap<>();
        // A zone may lose its last node, and be offered no longer, with the replicas that the loss is known by.
        prices(fleet, lost.keySet()).forEach((zone, price) -> {
            ZoneRisk risk = zone(zone).after(hours, held.containsKey(zone), price);
            if (lost.containsKey(zone)) {
                risk = held.containsKey(zone) ? risk.lostInPart() : risk.lost();
            }
            risk = refused.containsKey(zone) ? risk.refused() : risk;
            next.put(zone, roomy.containsKey(zone) && !lost.containsKey(zone) ? risk.withRoom() : risk);
        });
        return new FleetRisk(
                Optional.of(fleet.now()),
                next,
                recent(hours, lost),
                amongZones(lost, held),
                withinZone(lost, held),
                inPart(lost, held));
    }

    /** Prices of the zones that are offered, and the average of those that were. */
    private Map<String, Double> prices(FleetState fleet, Set<String> lost) {
        Map<String, Double> prices = new HashMap<>();
        lost.forEach(zone -> prices.put(zone, 0.0));
        zones.forEach((zone, risk) -> prices.put(zone, risk.averagePrice()));
        fleet.zones().forEach(offer -> prices.put(offer.zone(), offer.spotPrice()));
        return prices;
    }

    private static Stream<Offering> events(FleetState fleet, CapacityEvent.Kind kind) {
        return fleet.events().stream()
                .filter(event -> event.kind() == kind && event.offering().isSpot())
                .map(CapacityEvent::offering);
    }

    private static Map<String, Long> count(Stream<Offering> offerings) {
        return offerings.collect(Collectors.groupingBy(Offering::zone, Collectors.counting()));
    }

    private Map<String, Double> recent(double hours, Map<String, Long> lost) {
        Map<String, Double> recent = new HashMap<>();
        double kept = Math.pow(0.5, hours / SHOCK_HALF_LIFE_HOURS);
        recentLosses.forEach((region, count) -> recent.put(region, count * kept));
        lost.keySet().forEach(zone -> recent.merge(Regions.of(zone), 1.0, Double::sum));
        return recent;
    }

    private Correlation amongZones(Map<String, Long> lost, Map<String, Long> held) {
        Correlation result = amongZones;
        for (String zone : lost.keySet()) {
            long together = neighbours(zone, lost.keySet().stream());
            long survived = neighbours(zone, held.keySet().stream().filter(other -> !lost.containsKey(other)));
            result = result.and(together + survived, together);
        }
        return result;
    }

    private static long neighbours(String zone, Stream<String> zones) {
        String region = Regions.of(zone);
        return zones.filter(other -> !other.equals(zone) && Regions.of(other).equals(region))
                .count();
    }

    private Correlation withinZone(Map<String, Long> lost, Map<String, Long> held) {
        Correlation result = withinZone;
        for (var entry : lost.entrySet()) {
            long others = entry.getValue() - 1 + held.getOrDefault(entry.getKey(), 0L);
            result = result.and(others, held.containsKey(entry.getKey()) ? 0 : others);
        }
        return result;
    }

    private Correlation inPart(Map<String, Long> lost, Map<String, Long> held) {
        Correlation result = inPart;
        for (var entry : lost.entrySet()) {
            long together = entry.getValue() - 1;
            long left = held.getOrDefault(entry.getKey(), 0L);
            result = left == 0 ? result : result.and(together + left, together);
        }
        return result;
    }
}
