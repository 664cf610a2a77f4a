package io.knabla.controller.knative.placement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.stream.Stream;

/** Sliding window of timed values; also keeps the newest older one, which held when the window began. */
final class RecentSamples<T> {
    private final Duration period;
    private final Deque<Sample<T>> samples = new ArrayDeque<>();

    record Sample<T>(Instant at, T value) {}

    RecentSamples(Duration period) {
        this.period = period;
    }

    void add(T value, Instant now) {
        samples.add(new Sample<>(now, value));
        Instant begin = now.minus(period);
        while (samples.size() > 1 && !second().at().isAfter(begin)) {
            samples.remove();
        }
    }

    private Sample<T> second() {
        Iterator<Sample<T>> all = samples.iterator();
        all.next();
        return all.next();
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    /** Whether they say what held all through the period. */
    boolean spanPeriod() {
        return !oldest().at().plus(period).isAfter(newest().at());
    }

    Sample<T> oldest() {
        return samples.getFirst();
    }

    Sample<T> newest() {
        return samples.getLast();
    }

    Stream<T> values() {
        return samples.stream().map(Sample::value);
    }
}
