package io.knabla.controller.simulate.spot.trace;

import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.Provenance;
import io.knabla.controller.spot.policy.Regions;
import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Spot prices of one instance type.
 *
 * @param rows one for each change
 */
public record SpotPrices(String instanceType, List<PriceRow.Spot> rows) {
    public SpotPrices {
        rows = List.copyOf(rows);
    }

    /**
     * Reads {@code time_utc,availability_zone,instance_type,spot_price_usd_per_hour}. A price holds until the zone's
     * next row. Names of the first two columns may also be {@code time} and {@code zone}.
     *
     * @param name of the file, for errors
     * @param read when the prices were read: they are known until seven days later
     * @throws TraceFaultsException with all faults of the text
     */
    public static SpotPrices read(String name, String text, Instant read) {
        String header = text.lines().findFirst().orElse("");
        String time = header.contains("time_utc") ? "time_utc" : "time";
        String zone = header.contains("availability_zone") ? "availability_zone" : "zone";
        var source = new Provenance(Provenance.Quality.DECLARED, name, read);
        List<PriceRow.Spot> rows = new ArrayList<>();
        SequencedSet<String> types = new LinkedHashSet<>();
        new TraceLines(name).read(text, line -> {
            String type = line.text("instance_type");
            types.add(type);
            if (!type.equals(types.getFirst())) {
                line.refuse("instance_type is %s, but the rows above are of %s; give one type"
                        .formatted(type, types.getFirst()));
            }
            rows.add(new PriceRow.Spot(
                    line.text("instance_type"),
                    Regions.of(line.text(zone)),
                    line.text(zone),
                    new Interval(line.time(time), Optional.empty()),
                    new Price(line.amount("spot_price_usd_per_hour"), source)));
        });
        if (rows.isEmpty()) {
            throw new TraceFaultsException(name, List.of("line 1: there is no row below the names of the columns"));
        }
        return new SpotPrices(rows.getFirst().instanceType(), rows);
    }
}
