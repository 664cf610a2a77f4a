package io.knabla.controller.simulate.spot;

import io.knabla.controller.simulate.spot.trace.AvailabilityTrace.Change;
import io.knabla.controller.spot.live.SlotChoice;
import io.knabla.controller.spot.policy.CapacityEvent;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.spot.policy.ZoneOffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Simulates a cloud provider: launches instances where the trace has capacity. Times are milliseconds since its start.
 */
final class Cloud {
    private final Scenario scenario;
    private final int[] capacity;
    final Fleet fleet;

    /** What happened since the last decision; papers tell it to policies, a platform its signals alone. */
    final List<CapacityEvent> events = new ArrayList<>();

    Cloud(Scenario scenario, long seed) {
        this.scenario = scenario;
        this.capacity = new int[scenario.trace().zones().size()];
        this.fleet = new Fleet(scenario, seed);
    }

    void change(Change change) {
        capacity[change.zone()] = change.capacity();
    }

    void happened(CapacityEvent.Kind kind, Offering offering, long now) {
        events.add(new CapacityEvent(kind, offering, instant(now)));
    }

    void launch(Offering offering, long now) {
        int zone = scenario.trace().zones().indexOf(offering.zone());
        if (offering.isSpot() && room(zone) <= 0) {
            fleet.refused();
            happened(CapacityEvent.Kind.LAUNCH_REFUSED, offering, now);
        } else {
            fleet.launch(offering, zone, now);
        }
    }

    private int room(int zone) {
        return capacity[zone] - fleet.spotIn(zone);
    }

    List<ZoneOffer> offers(long now) {
        return scenario.market().offers(scenario.trace().zones(), instant(now));
    }

    /** The zones' spot capacity, and capacity on demand where it costs least. */
    List<Slot> slots(long now) {
        String cheapest = offers(now).stream()
                .min(Comparator.comparingDouble(ZoneOffer::onDemandPrice))
                .orElseThrow()
                .zone();
        List<String> zones = scenario.trace().zones();
        return Stream.concat(
                        IntStream.range(0, zones.size())
                                .mapToObj(zone -> slot(Offering.spot(zones.get(zone)), room(zone))),
                        Stream.of(slot(Offering.onDemand(cheapest), Integer.MAX_VALUE)))
                .toList();
    }

    private Slot slot(Offering offering, int room) {
        int own = (int) fleet.live().filter(it -> it.offering.equals(offering)).count();
        return new Slot(offering, own, room);
    }

    Instant instant(long now) {
        return scenario.trace().start().plus(Duration.ofMillis(now));
    }

    /** Capacity of one type in one zone, as one large node. */
    record Slot(Offering offering, int own, int room) implements SlotChoice.Slot {
        @Override
        public String name() {
            return offering.zone();
        }

        @Override
        public boolean isLastResort() {
            return false;
        }
    }
}
