package io.knabla.controller.price;

import static java.util.stream.Collectors.groupingBy;

import io.knabla.controller.price.Provenance.Quality;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the spot prices that this module ships: one type's history, and averages derived from published savings. */
final class BundledSpot {
    static final String HISTORY = "aws-spot-history-p3.2xlarge-2023-02-16.csv";
    static final String SAVINGS_2025 = "aws-spot-savings-2025-07.csv";

    private static final String SAVINGS = "savings_over_on_demand_pct";

    /** Last probe of the recording; a price without a later change was still seen then. */
    static final Instant RECORDED_UNTIL = Instant.parse("2023-04-02T01:35:15Z");

    static final Instant SAVINGS_READ = Instant.parse("2025-07-28T00:00:00Z");

    private record Machine(String type, String region) {}

    private BundledSpot() {}

    /** By zone name: the source states no ids. */
    static List<PriceRow.Spot> history() {
        Provenance provenance = new Provenance(
                Quality.HISTORY, HISTORY + " (github.com/mert-cemri/autoevolve, commit d4b77d81)", RECORDED_UNTIL);
        return PriceCsv.bundled(HISTORY).stream()
                .map(line -> new PriceRow.Spot(
                        line.text("instance_type"),
                        regionOf(line.text("availability_zone")),
                        line.text("availability_zone"),
                        BundledInstances.since(Instant.parse(line.text("time_utc"))),
                        new Price(line.amount("spot_price_usd_per_hour"), provenance)))
                .toList();
    }

    static List<PriceRow.SpotAverage> averages2024() {
        Provenance provenance = new Provenance(
                Quality.DERIVED,
                BundledInstances.SOURCE_2024 + ": average of the month before 2024-04-04",
                BundledInstances.READ_2024);
        return PriceCsv.bundled(BundledInstances.PRICES_2024).stream()
                .flatMap(line -> line
                        .amountIfGiven("spot_avg_usd_per_hour")
                        .map(usd -> new PriceRow.SpotAverage(
                                line.text("instance_type"),
                                line.text("region"),
                                BundledInstances.since(BundledInstances.READ_2024),
                                new Price(usd, provenance)))
                        .stream())
                .toList();
    }

    /** Savings of July 2025 times the on-demand price of then, where that is known; see {@link #listedAt}. */
    static List<PriceRow.SpotAverage> averages2025(List<PriceRow.OnDemand> onDemand) {
        Map<Machine, List<PriceRow.OnDemand>> prices =
                onDemand.stream().collect(groupingBy(row -> new Machine(row.instanceType(), row.region())));
        return PriceCsv.bundled(SAVINGS_2025).stream()
                // One row states 0 %: the feed has no average for that pool.
                .filter(line -> line.amount(SAVINGS).signum() > 0)
                .flatMap(line -> listedAt(SAVINGS_READ, prices.getOrDefault(machine(line), List.of()))
                        .map(price -> average(price, line.amount(SAVINGS)))
                        .stream())
                .toList();
    }

    private static Machine machine(PriceCsv.Row line) {
        return new Machine(line.text("instance_type"), line.text("region"));
    }

    /** The last price before, if it is still known then or the next snapshot states the same one. */
    static Optional<PriceRow.OnDemand> listedAt(Instant time, List<PriceRow.OnDemand> snapshots) {
        Comparator<PriceRow.OnDemand> byStart =
                Comparator.comparing(row -> row.time().start());
        Optional<PriceRow.OnDemand> before = snapshots.stream()
                .filter(row -> !row.time().start().isAfter(time))
                .max(byStart);
        Optional<PriceRow.OnDemand> after = snapshots.stream()
                .filter(row -> row.time().start().isAfter(time))
                .min(byStart);
        return before.filter(row -> PriceValidity.of(row).contains(time)
                || after.filter(next -> isSamePrice(row, next)).isPresent());
    }

    private static boolean isSamePrice(PriceRow.OnDemand one, PriceRow.OnDemand other) {
        return one.perHour().usd().compareTo(other.perHour().usd()) == 0;
    }

    private static PriceRow.SpotAverage average(PriceRow.OnDemand onDemand, BigDecimal savings) {
        String source =
                "%s (github.com/alexei-led/spotinfo, commit 05e93313): saving of %s %% in the month before 2025-07-28"
                        + " times the on-demand price of %s";
        LocalDate priced = LocalDate.ofInstant(onDemand.time().start(), ZoneOffset.UTC);
        Provenance provenance =
                new Provenance(Quality.DERIVED, source.formatted(SAVINGS_2025, savings, priced), SAVINGS_READ);
        BigDecimal paid = BigDecimal.ONE.subtract(savings.movePointLeft(2));
        return new PriceRow.SpotAverage(
                onDemand.instanceType(),
                onDemand.region(),
                BundledInstances.since(SAVINGS_READ),
                new Price(onDemand.perHour().usd().multiply(paid), provenance));
    }

    /** {@code us-east-1} of {@code us-east-1a}. */
    private static String regionOf(String zoneName) {
        return zoneName.substring(0, zoneName.length() - 1);
    }
}
