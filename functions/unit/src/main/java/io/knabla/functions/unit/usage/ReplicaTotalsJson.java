package io.knabla.functions.unit.usage;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes and reads {@link ReplicaTotals} as fields of a JSON object, which may have others. A reader leaves out the
 * fields that it does not know, and takes 0 for those that are missing, so replicas and controllers of different
 * versions understand each other.
 */
public final class ReplicaTotalsJson {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String COUNTERS = "counters";

    private ReplicaTotalsJson() {}

    /** Returns the fields, without the braces of their object. */
    public static String fields(ReplicaTotals totals) {
        String all = "\"succeeded\":" + totals.succeeded()
                + ",\"failed\":" + totals.failed()
                + ",\"elements\":" + totals.elements()
                + ",\"busyMillis\":" + totals.busyMillis()
                + ",\"cpuMillis\":" + totals.cpuMillis()
                + ",\"residentBytes\":" + totals.residentBytes();
        return totals.counters().isEmpty()
                ? all
                : all + ",\"" + COUNTERS + "\":" + totals.counters().json();
    }

    /** Reads the totals in an object; empty if the line has none, or one that was cut. */
    public static Optional<ReplicaTotals> read(String line) {
        try (JsonParser in = JSON.createParser(line)) {
            return in.nextToken() == JsonToken.START_OBJECT ? Optional.of(totals(in)) : Optional.empty();
        } catch (IOException cut) {
            return Optional.empty();
        }
    }

    private static ReplicaTotals totals(JsonParser in) throws IOException {
        Map<String, Long> numbers = new HashMap<>();
        Counters counters = Counters.NONE;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String field = in.currentName();
            if (in.nextToken() == JsonToken.START_OBJECT && field.equals(COUNTERS)) {
                counters = counters(in);
            } else {
                number(in, field, numbers);
            }
        }
        return new ReplicaTotals(
                numbers.getOrDefault("succeeded", 0L),
                numbers.getOrDefault("failed", 0L),
                numbers.getOrDefault("elements", 0L),
                numbers.getOrDefault("busyMillis", 0L),
                numbers.getOrDefault("cpuMillis", 0L),
                numbers.getOrDefault("residentBytes", 0L),
                counters);
    }

    private static Counters counters(JsonParser in) throws IOException {
        Map<String, Long> told = new HashMap<>();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            number(in, name, told);
        }
        return Counters.bounded(told);
    }

    /** A double is exact up to the largest count; what is larger, is that. */
    private static void number(JsonParser in, String field, Map<String, Long> numbers) throws IOException {
        if (in.currentToken().isNumeric()) {
            numbers.put(field, (long) Math.clamp(in.getDoubleValue(), 0.0, (double) Counters.MOST));
        } else {
            in.skipChildren();
        }
    }
}
