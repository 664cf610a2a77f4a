package io.knabla.controller.cost.price;

import io.knabla.controller.cost.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Values of one key in order of time: each holds from its start to the start of the next, or to the end of its claim.
 */
final class Timeline<V> {
    /**
     * @param claim has an end
     * @param list whether the value may be assumed for other times
     */
    record Entry<V>(Interval claim, V value, boolean list) {
        private Instant end() {
            return claim.end().orElseThrow();
        }
    }

    private final NavigableMap<Instant, Entry<V>> entries = new TreeMap<>();

    /** Of two entries with the same start the later one is kept. */
    Timeline(Collection<Entry<V>> given) {
        given.forEach(entry -> entries.put(entry.claim().start(), entry));
    }

    /** The value that holds at that time. */
    Optional<V> at(Instant time) {
        return Optional.ofNullable(entries.floorEntry(time))
                .map(Map.Entry::getValue)
                .filter(entry -> time.isBefore(entry.end()))
                .map(Entry::value);
    }

    /** The list value last known at that time, or the first one if none was known yet. */
    Optional<V> nearestList(Instant time) {
        return nearest(time).map(Map.Entry::getValue).filter(Entry::list).map(Entry::value);
    }

    /** Values that hold within {@code [from, until)}, cut to it. */
    List<Entry<V>> within(Instant from, Instant until) {
        List<Entry<V>> parts = new ArrayList<>();
        for (Entry<V> entry : since(from).headMap(until, false).values()) {
            Instant next = nextStart(entry).filter(entry.end()::isAfter).orElse(entry.end());
            entry.claim()
                    .within(from, until)
                    .flatMap(part -> part.within(part.start(), next))
                    .ifPresent(part -> parts.add(new Entry<>(part, entry.value(), entry.list())));
        }
        return parts;
    }

    /** Values without regard to the ends of their claims: the first holds before its start, too. */
    List<Entry<V>> stretched(Instant from, Instant until) {
        List<Entry<V>> parts = new ArrayList<>();
        Map.Entry<Instant, Entry<V>> current = nearest(from).orElse(null);
        for (Instant start = from; current != null && start.isBefore(until); ) {
            Map.Entry<Instant, Entry<V>> next = entries.higherEntry(current.getKey());
            Instant end = next == null || next.getKey().isAfter(until) ? until : next.getKey();
            parts.add(new Entry<>(Interval.of(start, end), current.getValue().value(), false));
            start = end;
            current = next;
        }
        return parts;
    }

    private Optional<Map.Entry<Instant, Entry<V>>> nearest(Instant time) {
        return Optional.ofNullable(entries.floorEntry(time)).or(() -> Optional.ofNullable(entries.firstEntry()));
    }

    private NavigableMap<Instant, Entry<V>> since(Instant time) {
        Instant current = entries.floorKey(time);
        return entries.tailMap(current == null ? time : current, true);
    }

    private Optional<Instant> nextStart(Entry<V> entry) {
        return Optional.ofNullable(entries.higherKey(entry.claim().start()));
    }
}
