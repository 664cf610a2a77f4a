package io.knabla.controller.price;

import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads answers to EC2's {@code DescribeSpotPriceHistory}: each entry is a change of price. */
public final class SpotPriceHistory {
    private static final Set<String> LINUX = Set.of("Linux/UNIX", "Linux/UNIX (Amazon VPC)");

    private SpotPriceHistory() {}

    /**
     * Rows of the Linux entries; those of other operating systems are left out.
     *
     * @param region that was asked
     * @param retrieved when; prices count as known until then and for a while after
     */
    public static ParsedRows rows(String region, List<SpotPricePoint> points, Instant retrieved) {
        Provenance provenance = new Provenance(
                Quality.HISTORY, "EC2 DescribeSpotPriceHistory in %s at %s".formatted(region, retrieved), retrieved);
        List<PriceRow> rows = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
            SpotPricePoint point = points.get(i);
            if (point.productDescription() == null || LINUX.contains(point.productDescription())) {
                Optional<String> fault = faultOf(point);
                fault.ifPresent(problem -> faults.add("%s: %s".formatted(point, problem)));
                if (fault.isEmpty()) {
                    rows.add(row(region, point, provenance));
                }
            }
        }
        return new ParsedRows(rows, faults);
    }

    private static PriceRow row(String region, SpotPricePoint point, Provenance provenance) {
        return new PriceRow.Spot(
                point.instanceType(),
                region,
                point.zoneId(),
                new Interval(point.timestamp(), Optional.empty()),
                new Price(new BigDecimal(point.spotPrice()), provenance));
    }

    private static Optional<String> faultOf(SpotPricePoint point) {
        if (point.productDescription() == null || isBlank(point.instanceType()) || point.timestamp() == null) {
            return Optional.of("has no operating system, no instance type or no time");
        }
        if (isBlank(point.zoneId())) {
            return Optional.of("has no zone id, and zone names differ between accounts; look its id up first");
        }
        return UsdText.faultOf(point.spotPrice());
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}
