package io.knabla.controller.simulate.spot;

import io.knabla.controller.price.BundledPrices;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.price.RowBook;
import io.knabla.controller.simulate.spot.trace.AvailabilityTrace;
import io.knabla.controller.simulate.spot.trace.SpotPrices;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Prices for the time of a trace.
 *
 * @param file name and text of a history of spot prices; empty for the bundled one, of p3.2xlarge
 * @param onDemandPerHour US dollars in every region; empty for the bundled prices
 */
public record SimulatedPrices(Optional<File> file, Optional<BigDecimal> onDemandPerHour) {
    private static final String BUNDLED_TYPE = "p3.2xlarge";

    /** @param name for errors */
    public record File(String name, String text) {}

    /** Bundled prices of the instance type; empty if they lack it in a zone, or if there are several types. */
    public static Optional<Market> ofTypes(Set<String> instanceTypes, List<String> zones, Interval time) {
        if (instanceTypes.size() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Ec2Market(BundledPrices.book(), instanceTypes.iterator().next(), zones, time));
        } catch (IllegalArgumentException unpriced) {
            return Optional.empty();
        }
    }

    /** @throws IllegalArgumentException with all faults of the file, or every zone without a price */
    public Market market(AvailabilityTrace trace) {
        Instant end = trace.start().plus(trace.length());
        Optional<SpotPrices> given = file.map(it -> SpotPrices.read(it.name(), it.text(), end));
        String type = given.map(SpotPrices::instanceType).orElse(BUNDLED_TYPE);
        List<PriceRow> rows = new ArrayList<>(BundledPrices.rows());
        given.ifPresent(prices -> {
            rows.removeIf(PriceRow.Spot.class::isInstance);
            rows.addAll(prices.rows());
        });
        onDemandPerHour.ifPresent(usd -> {
            rows.removeIf(PriceRow.OnDemand.class::isInstance);
            rows.add(onDemand(type, usd, Interval.of(trace.start(), end.plusSeconds(60))));
        });
        return new Ec2Market(new RowBook(rows), type, trace.zones(), Interval.of(trace.start(), end));
    }

    private static PriceRow onDemand(String type, BigDecimal usd, Interval time) {
        var source = new Provenance(
                Provenance.Quality.DECLARED,
                "stated for the simulation",
                time.end().orElseThrow());
        return new PriceRow.OnDemand(type, PriceRow.ANY, time, new Price(usd, source));
    }
}
