package io.knabla.controller.gc;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Measures elapsed time as the larger of wall-clock time and {@link System#nanoTime}: the latter may stop while a
 * machine sleeps, the former may be set back.
 */
record ElapsedClock(InstantSource wall, LongSupplier nanos) {
    static ElapsedClock of(InstantSource wall) {
        return new ElapsedClock(wall, System::nanoTime);
    }

    record Moment(Instant wall, long nanos) {}

    Moment now() {
        return new Moment(wall.instant(), nanos.getAsLong());
    }

    Duration since(Moment moment) {
        Duration byWall = Duration.between(moment.wall(), wall.instant());
        Duration byNanos = Duration.ofNanos(nanos.getAsLong() - moment.nanos());
        return byWall.compareTo(byNanos) > 0 ? byWall : byNanos;
    }
}
