package io.knabla.controller.cost.price;

import io.knabla.controller.cost.price.PriceBook.SpotPrice;
import io.knabla.controller.cost.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Joins spot prices of several sources: earlier sources win, later ones fill what is left. */
final class SpotParts {
    private SpotParts() {}

    /** @throws IllegalArgumentException if the time has no end */
    static Instant endOf(Interval time) {
        return time.end()
                .orElseThrow(() -> new IllegalArgumentException(
                        "spot prices are asked for a time that starts at %s and has no end; give it one"
                                .formatted(time.start())));
    }

    /**
     * Adds to {@code known} the parts of {@code more} that lie in its gaps; both in order of time, within {@code time}.
     */
    static List<SpotPrice> fill(List<SpotPrice> known, List<SpotPrice> more, Interval time) {
        if (more.isEmpty()) {
            return known;
        }
        Stream<SpotPrice> added = gaps(known, time).stream()
                .flatMap(gap -> more.stream()
                        .flatMap(price -> price.time().within(gap.start(), endOf(gap)).stream()
                                .map(part -> new SpotPrice(part, price.perHour()))));
        return Stream.concat(known.stream(), added)
                .sorted(Comparator.comparing(price -> price.time().start()))
                .toList();
    }

    private static List<Interval> gaps(List<SpotPrice> known, Interval time) {
        List<Interval> gaps = new ArrayList<>();
        Instant done = time.start();
        for (SpotPrice price : known) {
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
