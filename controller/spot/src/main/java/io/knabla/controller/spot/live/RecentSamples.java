package io.knabla.controller.spot.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.stream.Stream;

/** Sliding window of timed values; also keeps the newest older one, which held when the window began. */
public final class RecentSamples<T> {
    private final Duration period;
    private final Deque<Sample<T>> samples = new ArrayDeque<>();

    public record Sample<T>(Instant at, T value) {}

    public RecentSamples(Duration period) {
        this.period = period;
    }

    public void add(T value, Instant now) {
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

    public boolean isEmpty() {
        return samples.isEmpty();
    }

    /** Whether they say what held all through the period. */
    boolean spanPeriod() {
        return !oldest().at().plus(period).isAfter(newest().at());
    }

    public Sample<T> oldest() {
        return samples.getFirst();
    }

    public Sample<T> newest() {
        return samples.getLast();
    }

    Stream<T> values() {
        return samples.stream().map(Sample::value);
    }
}
