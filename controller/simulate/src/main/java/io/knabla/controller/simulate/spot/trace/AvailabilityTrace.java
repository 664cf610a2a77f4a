package io.knabla.controller.simulate.spot.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Spot capacity of zones over time.
 *
 * @param start of the recording; the epoch if the recording states no date
 * @param length from the start to the end, positive
 * @param changes in order of time; a zone has no capacity before its first one, and keeps it until its next one
 */
public record AvailabilityTrace(String name, List<String> zones, Instant start, Duration length, List<Change> changes) {
    /** Capacity of a zone that says only whether there is some. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /**
     * A zone's capacity from a time on.
     *
     * @param at since the start
     * @param zone index into the trace's zones
     * @param capacity replicas that can run in the zone; more are taken back
     * @param lostShare share of the zone's replicas that is taken back, 0 to 1, if the recording names single nodes
     */
    public record Change(Duration at, int zone, int capacity, double lostShare) {}

    public AvailabilityTrace {
        zones = List.copyOf(zones);
        changes = changes.stream().sorted(Comparator.comparing(Change::at)).toList();
        if (zones.isEmpty() || !length.isPositive()) {
            throw new IllegalArgumentException(
                    "the trace %s needs a zone and two different times, but has %d zones and lasts %s"
                            .formatted(name, zones.size(), length));
        }
    }

    /**
     * A part of this trace, with its own start.
     *
     * @param from since this trace's start, inclusive
     * @param until since this trace's start, after {@code from} and not after the end
     */
    public AvailabilityTrace part(Duration from, Duration until) {
        Change[] before = new Change[zones.size()];
        List<Change> within = new ArrayList<>();
        for (Change change : changes) {
            if (change.at().compareTo(from) <= 0) {
                before[change.zone()] = change;
            } else if (change.at().compareTo(until) < 0) {
                within.add(new Change(change.at().minus(from), change.zone(), change.capacity(), change.lostShare()));
            }
        }
        for (Change change : before) {
            if (change != null) {
                within.add(new Change(Duration.ZERO, change.zone(), change.capacity(), 0));
            }
        }
        return new AvailabilityTrace(name, zones, start.plus(from), until.minus(from), within);
    }

    /** The trace of some of its zones. */
    public AvailabilityTrace ofZones(List<String> wanted) {
        List<Change> kept = changes.stream()
                .filter(change -> wanted.contains(zones.get(change.zone())))
                .map(change -> new Change(
                        change.at(), wanted.indexOf(zones.get(change.zone())), change.capacity(), change.lostShare()))
                .toList();
        return new AvailabilityTrace(name, wanted, start, length, kept);
    }

    /** Share of the time in which a zone has capacity for one replica, 0 to 1. */
    public double availability(int zone) {
        double sum = 0;
        Change last = null;
        for (Change change : changes) {
            if (change.zone() == zone) {
                sum += available(last, change.at());
                last = change;
            }
        }
        return (sum + available(last, length)) / seconds(length);
    }

    private static double available(Change change, Duration until) {
        return change == null || change.capacity() == 0 ? 0 : seconds(until) - seconds(change.at());
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
