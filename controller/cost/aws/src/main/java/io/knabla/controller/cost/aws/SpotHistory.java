package io.knabla.controller.cost.aws;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import io.knabla.controller.cost.pricelist.PriceSource;
import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.SpotPriceHistory;
import io.knabla.controller.price.SpotPricePoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.AvailabilityZone;
import software.amazon.awssdk.services.ec2.model.SpotPrice;

/** Spot prices of Linux in one region, by zone id. */
record SpotHistory(Supplier<Ec2Client> client, String region, List<String> types) implements PriceSource {
    /** AWS keeps no more. */
    static final Duration KEPT = Duration.ofDays(90);

    /** Prices that AWS publishes late, and clocks that differ. */
    static final Duration OVERLAP = Duration.ofHours(1);

    private static final int MAX_POINTS = 500_000;

    @Override
    public String name() {
        return "aws-spot";
    }

    /** Also answers with the prices in force at the start of what is asked, so these count as known until now. */
    @Override
    public ParsedRows fetch(List<PriceRow> stored, Instant now) {
        Map<Instant, List<String>> byStart =
                types.stream().collect(groupingBy(type -> since(type, stored, now), TreeMap::new, toList()));
        try (Ec2Client ec2 = client.get()) {
            Map<String, String> zoneIds = zoneIds(ec2);
            List<SpotPricePoint> points = new ArrayList<>();
            byStart.forEach((start, sameStart) -> points(ec2, sameStart, start, now)
                    .map(price -> point(price, zoneIds))
                    .forEach(points::add));
            if (points.size() >= MAX_POINTS) {
                throw new IllegalStateException(
                        "EC2 answers with more than %d spot prices; name fewer instance types".formatted(MAX_POINTS));
            }
            return SpotPriceHistory.rows(region, points, now);
        }
    }

    /** From where a type's history is still to be asked for. */
    private static Instant since(String type, List<PriceRow> stored, Instant now) {
        Instant oldest = now.minus(KEPT);
        return stored.stream()
                .filter(row ->
                        row instanceof PriceRow.Spot spot && spot.instanceType().equals(type))
                .map(row -> row.provenance().retrieved().minus(OVERLAP))
                .max(Instant::compareTo)
                .filter(oldest::isBefore)
                .orElse(oldest);
    }

    private static Map<String, String> zoneIds(Ec2Client ec2) {
        return ec2.describeAvailabilityZones().availabilityZones().stream()
                .collect(toMap(AvailabilityZone::zoneName, AvailabilityZone::zoneId, (one, _) -> one));
    }

    private static Stream<SpotPrice> points(Ec2Client ec2, List<String> types, Instant start, Instant end) {
        return ec2
                .describeSpotPriceHistoryPaginator(request -> request.instanceTypesWithStrings(types)
                        .productDescriptions("Linux/UNIX")
                        .startTime(start)
                        .endTime(end))
                .spotPriceHistory()
                .stream()
                .limit(MAX_POINTS);
    }

    private static SpotPricePoint point(SpotPrice price, Map<String, String> zoneIds) {
        return new SpotPricePoint(
                price.instanceTypeAsString(),
                Optional.ofNullable(price.availabilityZoneId()).orElseGet(() -> zoneIds.get(price.availabilityZone())),
                price.availabilityZone(),
                price.productDescriptionAsString(),
                price.spotPrice(),
                price.timestamp());
    }
}
