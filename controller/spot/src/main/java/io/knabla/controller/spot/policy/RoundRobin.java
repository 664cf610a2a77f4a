package io.knabla.controller.spot.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses zones in turn.
 *
 * @param next index of the zone that is tried next, counted without end
 */
record RoundRobin(int next) {
    /** Zones for so many launches. */
    List<String> zones(List<ZoneOffer> zones, int count) {
        List<String> chosen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chosen.add(zones.get(Math.floorMod(next + i, zones.size())).zone());
        }
        return chosen;
    }

    RoundRobin after(int count) {
        return new RoundRobin(next + Math.max(0, count));
    }
}
