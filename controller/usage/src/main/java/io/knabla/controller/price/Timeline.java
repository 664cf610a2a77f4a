package io.knabla.controller.price;

import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Values of one key over time. An entry replaces the earlier ones from its start on: until the end that its source
 * states, after which they hold again, or for good if none is stated. It is known for as long as {@link PriceValidity}
 * says.
 */
final class Timeline<V> {
    /**
     * @param time as the source states it; without an end it holds until the next entry
     * @param known when its value is known, with an end
     * @param extrapolates whether the value may be assumed for other times
     */
    record Entry<V>(Interval time, Interval known, V value, boolean extrapolates) {
        private boolean isOver(Instant at) {
            return time.end().filter(end -> !at.isBefore(end)).isPresent();
        }
    }

    /** A value and when it holds. */
    record Part<V>(Interval time, V value) {}

    private final NavigableMap<Instant, Part<Entry<V>>> parts = new TreeMap<>();

    /** Of two entries with the same start the later one is kept. */
    Timeline(Collection<Entry<V>> given) {
        NavigableMap<Instant, Entry<V>> byStart = new TreeMap<>();
        given.forEach(entry -> byStart.put(entry.time().start(), entry));
        NavigableSet<Instant> changes = changes(byStart.values());
        Deque<Entry<V>> begun = new ArrayDeque<>();
        for (Instant from : changes) {
            Optional.ofNullable(byStart.get(from)).ifPresent(begun::push);
            while (!begun.isEmpty() && begun.peek().isOver(from)) {
                begun.pop();
            }
            if (!begun.isEmpty() && begun.peek().known().contains(from)) {
                add(begun.peek(), Interval.of(from, changes.higher(from)));
            }
        }
    }

    private static <V> NavigableSet<Instant> changes(Collection<Entry<V>> entries) {
        NavigableSet<Instant> changes = new TreeSet<>();
        for (Entry<V> entry : entries) {
            changes.add(entry.time().start());
            entry.time().end().ifPresent(changes::add);
            changes.add(endOf(entry.known()));
        }
        return changes;
    }

    /** Joined with the last part if that is of the same entry. */
    private void add(Entry<V> entry, Interval time) {
        Map.Entry<Instant, Part<Entry<V>>> last = parts.lastEntry();
        boolean joins = last != null
                && last.getValue().value() == entry
                && endOf(last.getValue().time()).equals(time.start());
        Instant start = joins ? last.getKey() : time.start();
        parts.put(start, new Part<>(Interval.of(start, endOf(time)), entry));
    }

    /** The value that is known at that time. */
    Optional<V> at(Instant time) {
        return Optional.ofNullable(parts.floorEntry(time))
                .map(Map.Entry::getValue)
                .filter(part -> part.time().contains(time))
                .map(part -> part.value().value());
    }

    /** The value last known at that time, or the first one if none was known yet, if it may be assumed then. */
    Optional<V> extrapolated(Instant time) {
        return nearest(time)
                .map(part -> part.getValue().value())
                .filter(Entry::extrapolates)
                .map(Entry::value);
    }

    /** Values that are known within {@code [from, until)}, cut to it. */
    List<Part<V>> within(Instant from, Instant until) {
        List<Part<V>> cut = new ArrayList<>();
        Instant first = Optional.ofNullable(parts.floorKey(from)).orElse(from);
        for (Part<Entry<V>> part :
                parts.tailMap(first, true).headMap(until, false).values()) {
            part.time()
                    .within(from, until)
                    .ifPresent(time -> cut.add(new Part<>(time, part.value().value())));
        }
        return cut;
    }

    /** Values of {@link #extrapolated(Instant)} within {@code [from, until)}. */
    List<Part<V>> extrapolated(Instant from, Instant until) {
        List<Part<V>> assumed = new ArrayList<>();
        Map.Entry<Instant, Part<Entry<V>>> current = nearest(from).orElse(null);
        for (Instant start = from; current != null && start.isBefore(until); ) {
            Map.Entry<Instant, Part<Entry<V>>> next = parts.higherEntry(current.getKey());
            Instant end = next == null || next.getKey().isAfter(until) ? until : next.getKey();
            Entry<V> entry = current.getValue().value();
            if (entry.extrapolates()) {
                assumed.add(new Part<>(Interval.of(start, end), entry.value()));
            }
            start = end;
            current = next;
        }
        return assumed;
    }

    private Optional<Map.Entry<Instant, Part<Entry<V>>>> nearest(Instant time) {
        return Optional.ofNullable(parts.floorEntry(time)).or(() -> Optional.ofNullable(parts.firstEntry()));
    }

    private static Instant endOf(Interval time) {
        return time.end().orElseThrow();
    }
}
