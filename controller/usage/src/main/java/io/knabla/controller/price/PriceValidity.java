package io.knabla.controller.price;

import io.knabla.controller.usage.Interval;
import java.time.Duration;
import java.time.Instant;

/** Limits how long a price counts as known after its source was read. */
public final class PriceValidity {
    /** List prices change a few times a year at most; after a quarter of a year this one is only assumed. */
    static final Duration LIST = Duration.ofDays(90);

    /** Spot prices move by about 5 % in a week ("Can't Be Late", NSDI'24, section 2.3). */
    static final Duration SPOT = Duration.ofDays(7);

    private static final Duration YEAR = Duration.ofDays(365);

    private PriceValidity() {}

    /**
     * From the row's start to its end, or until its source is too old; a declared or assumed price holds as long as it
     * says.
     */
    public static Interval of(PriceRow row) {
        Instant from = row.time().start();
        Instant stated = row.time().end().orElse(Instant.MAX);
        return Interval.of(from, isStated(row) ? stated : earlier(stated, knownUntil(row)));
    }

    /** Whether its price may be assumed for other times, and is marked then by {@link OutdatedPrices}. */
    static boolean extrapolates(PriceRow row) {
        return switch (row) {
            case PriceRow.OnDemand _, PriceRow.SpotAverage _, PriceRow.Lambda _, PriceRow.Fargate _ -> !isStated(row);
            case PriceRow.Spot _, PriceRow.Committed _, PriceRow.FargateSpot _, PriceRow.ServerlessGpu _ -> false;
        };
    }

    private static Instant knownUntil(PriceRow row) {
        Instant from = row.time().start();
        Instant retrieved = row.provenance().retrieved();
        return (from.isAfter(retrieved) ? from : retrieved).plus(age(row));
    }

    private static Duration age(PriceRow row) {
        return switch (row) {
            case PriceRow.OnDemand _, PriceRow.Lambda _, PriceRow.Fargate _, PriceRow.ServerlessGpu _ -> LIST;
            case PriceRow.Spot _, PriceRow.SpotAverage _, PriceRow.FargateSpot _ -> SPOT;
            // Who bought on that day pays this for the whole term.
            case PriceRow.Committed committed ->
                switch (committed.commitment()) {
                    case ONE_YEAR -> YEAR;
                    case THREE_YEARS -> YEAR.multipliedBy(3);
                };
        };
    }

    private static boolean isStated(PriceRow row) {
        return switch (row.provenance().quality()) {
            case DECLARED, ASSUMED -> true;
            case MEASURED, HISTORY, DERIVED, DEFAULT -> false;
        };
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
