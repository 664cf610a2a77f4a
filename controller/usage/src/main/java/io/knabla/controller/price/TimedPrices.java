package io.knabla.controller.price;

import io.knabla.controller.price.PriceBook.TimedPrice;
import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Joins prices of several sources: earlier sources win, later ones fill what is left. */
final class TimedPrices {
    private TimedPrices() {}

    /** @throws IllegalArgumentException if the time has no end */
    static Instant endOf(Interval time) {
        return time.end()
                .orElseThrow(() -> new IllegalArgumentException(
                        "prices are asked for a time that starts at %s and has no end; give it one"
                                .formatted(time.start())));
    }

    /**
     * Adds to {@code known} the parts of {@code more} that lie in its gaps; both in order of time, within {@code time}.
     */
    static List<TimedPrice> fill(List<TimedPrice> known, List<TimedPrice> more, Interval time) {
        if (more.isEmpty()) {
            return known;
        }
        Stream<TimedPrice> added = gaps(known, time).stream()
                .flatMap(gap -> more.stream()
                        .flatMap(price -> price.time().within(gap.start(), endOf(gap)).stream()
                                .map(part -> new TimedPrice(part, price.perHour()))));
        return Stream.concat(known.stream(), added)
                .sorted(Comparator.comparing(price -> price.time().start()))
                .toList();
    }

    private static List<Interval> gaps(List<TimedPrice> known, Interval time) {
        List<Interval> gaps = new ArrayList<>();
        Instant done = time.start();
        for (TimedPrice price : known) {
            if (done.isBefore(price.time().start())) {
                gaps.add(Interval.of(done, price.time().start()));
            }
            done = endOf(price.time());
        }
        if (done.isBefore(endOf(time))) {
            gaps.add(Interval.of(done, endOf(time)));
        }
        return gaps;
    }
}
