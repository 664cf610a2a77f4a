package io.knabla.controller.price;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.usage.Interval;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Optional;

/** Prices of an hour of an instance as rows of a table; those of Lambda and Fargate have other units and no row. */
public final class PriceTable {
    public static final String NAME = "prices";

    private static final int DIGITS = 9;

    /** Names and types as DuckDB's {@code read_json} takes them. */
    public static final String COLUMNS = """
            instance_type: 'VARCHAR', region: 'VARCHAR', zone_id: 'VARCHAR', capacity: 'VARCHAR',
            usd_per_hour: 'DECIMAL(18,%d)', valid_from: 'TIMESTAMP', valid_until: 'TIMESTAMP', quality: 'VARCHAR',
            source: 'VARCHAR', retrieved: 'TIMESTAMP'
            """.formatted(DIGITS);

    private PriceTable() {}

    /** The row as a line of JSON; empty for what is no instance. */
    public static Optional<String> line(PriceRow row) {
        return switch (row) {
            case PriceRow.OnDemand it ->
                Optional.of(line(it, it.instanceType(), it.region(), PriceRow.ANY, "ON_DEMAND", it.perHour()));
            case PriceRow.Spot it ->
                Optional.of(line(it, it.instanceType(), it.region(), it.zone(), "SPOT", it.perHour()));
            case PriceRow.SpotAverage it ->
                Optional.of(line(it, it.instanceType(), it.region(), PriceRow.ANY, "SPOT", it.perHour()));
            case PriceRow.Committed it ->
                Optional.of(line(
                        it,
                        it.instanceType(),
                        it.region(),
                        PriceRow.ANY,
                        it.commitment().name(),
                        it.perHour()));
            case PriceRow.Lambda _, PriceRow.Fargate _, PriceRow.FargateSpot _, PriceRow.ServerlessGpu _ ->
                Optional.empty();
        };
    }

    private static String line(PriceRow row, String type, String region, String zone, String capacity, Price price) {
        Interval valid = PriceValidity.of(row);
        Provenance from = price.provenance();
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("instance_type", type)
                .put("region", region)
                .put("zone_id", zone)
                .put("capacity", capacity)
                .put(
                        "usd_per_hour",
                        price.usd().setScale(DIGITS, RoundingMode.HALF_EVEN).toPlainString())
                .put("valid_from", text(valid.start()))
                .put("valid_until", valid.end().map(PriceTable::text).orElse(null))
                .put("quality", from.quality().name())
                .put("source", from.source())
                .put("retrieved", text(from.retrieved()));
        return line.toString();
    }

    /** Null for a time without a bound. */
    private static String text(Instant time) {
        return time.equals(Instant.MIN) || time.equals(Instant.MAX) ? null : time.toString();
    }
}
