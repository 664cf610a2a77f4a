package io.knabla.controller.price;

import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the on-demand and reserved prices of EC2 instances that this module ships. */
final class BundledInstances {
    static final String PRICES_2023 = "aws-us-east-1-on-demand-and-reserved-2023.csv";
    static final String PRICES_2024 = "aws-ec2-on-demand-and-spot-avg-2024-04.csv";
    static final String PRICES_2026 = "aws-ec2-on-demand-us-east-1-2026-07-20.csv";

    static final Instant READ_2024 = Instant.parse("2024-04-04T00:00:00Z");
    static final String SOURCE_2024 = PRICES_2024 + " (github.com/vantage-sh/ec2instances.info, commit a19cd859)";

    static final Instant READ_2026 = Instant.parse("2026-07-20T13:44:30Z");
    private static final String SOURCE_2026 = PRICES_2026 + " (github.com/aws/karpenter-provider-aws, commit 1d927085)";

    private static final String ON_DEMAND = "on_demand_usd_per_hour";
    private static final String REGION_2023 = "us-east-1";

    private BundledInstances() {}

    static List<PriceRow.OnDemand> onDemand() {
        return Stream.of(onDemand2023(), onDemandOf(PRICES_2024, SOURCE_2024, READ_2024), onDemand2026())
                .flatMap(List::stream)
                .toList();
    }

    static List<PriceRow.Committed> committed() {
        return PriceCsv.bundled(PRICES_2023).stream()
                .flatMap(line -> committed(line).stream())
                .toList();
    }

    static Interval since(Instant start) {
        return new Interval(start, Optional.empty());
    }

    private static List<PriceRow.OnDemand> onDemand2023() {
        return PriceCsv.bundled(PRICES_2023).stream()
                .map(line -> new PriceRow.OnDemand(
                        line.text("instance_type"),
                        REGION_2023,
                        since(read2023(line)),
                        price2023(line, line.amount(ON_DEMAND))))
                .toList();
    }

    private static List<PriceRow.OnDemand> onDemand2026() {
        return onDemandOf(PRICES_2026, SOURCE_2026, READ_2026);
    }

    private static List<PriceRow.OnDemand> onDemandOf(String file, String source, Instant read) {
        Provenance provenance = new Provenance(Quality.HISTORY, source, read);
        return PriceCsv.bundled(file).stream()
                .map(line -> new PriceRow.OnDemand(
                        line.text("instance_type"),
                        line.text("region"),
                        since(read),
                        new Price(line.amount(ON_DEMAND), provenance)))
                .toList();
    }

    private static Optional<PriceRow.Committed> committed(PriceCsv.Row line) {
        return line.amountIfGiven("ri_standard_1y_all_upfront_effective_usd_per_hour")
                .map(effective -> new PriceRow.Committed(
                        line.text("instance_type"),
                        REGION_2023,
                        PriceBook.Commitment.ONE_YEAR,
                        since(read2023(line)),
                        price2023(line, effective)));
    }

    private static Price price2023(PriceCsv.Row line, BigDecimal usd) {
        String source = "%s (github.com/LeanerCloud/ec2-instances-info, commit of %s)"
                .formatted(PRICES_2023, line.text("snapshot_commit_date"));
        return new Price(usd, new Provenance(Quality.HISTORY, source, read2023(line)));
    }

    private static Instant read2023(PriceCsv.Row line) {
        return LocalDate.parse(line.text("snapshot_commit_date"))
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant();
    }
}
