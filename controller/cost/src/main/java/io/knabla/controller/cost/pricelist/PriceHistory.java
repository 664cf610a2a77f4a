package io.knabla.controller.cost.pricelist;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.price.ParsedRows;
import io.knabla.controller.price.PriceRow;
import io.knabla.controller.price.PriceValidity;
import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Joins what was known of prices with a new answer, without doubles. */
final class PriceHistory {
    private static final Comparator<PriceRow> BY_START = Comparator.<PriceRow, Instant>comparing(
                    row -> row.time().start())
            .thenComparing(row -> row.provenance().retrieved());

    private PriceHistory() {}

    /** A price is known by what it is for and since when. */
    private record Id(ObjectNode key, Instant start) {}

    /** Leaves out prices that the same answer contradicts, and names them. */
    static ParsedRows withoutContradictions(ParsedRows answer) {
        Map<Id, List<PriceRow>> same = answer.rows().stream()
                .collect(groupingBy(
                        row -> new Id(PriceLine.key(row), row.time().start()), LinkedHashMap::new, toList()));
        List<PriceRow> rows = new ArrayList<>();
        List<String> faults = new ArrayList<>(answer.faults());
        same.forEach((id, prices) -> {
            List<ObjectNode> amounts =
                    prices.stream().map(PriceLine::amounts).distinct().toList();
            if (amounts.size() == 1) {
                rows.add(prices.getFirst());
            } else {
                faults.add("two prices since %s of %s: %s".formatted(id.start(), id.key(), amounts));
            }
        });
        return new ParsedRows(rows, faults);
    }

    /**
     * Returns both, in order of key and start. Of the same key and start the price retrieved later counts. A price that
     * is followed by an equal one while it is still known is one price, retrieved when the later one was.
     */
    static List<PriceRow> merge(List<PriceRow> stored, List<PriceRow> fresh) {
        Map<String, List<PriceRow>> byKey = Stream.concat(stored.stream(), fresh.stream())
                .sorted(BY_START)
                .collect(groupingBy(row -> PriceLine.key(row).toString(), TreeMap::new, toList()));
        return byKey.values().stream().flatMap(rows -> joined(rows).stream()).toList();
    }

    private static List<PriceRow> joined(List<PriceRow> rows) {
        List<PriceRow> joined = new ArrayList<>();
        for (PriceRow row : rows) {
            if (joined.isEmpty()) {
                joined.add(row);
                continue;
            }
            PriceRow last = joined.getLast();
            if (row.time().start().equals(last.time().start())) {
                joined.set(joined.size() - 1, row);
            } else if (goesOn(last, row)) {
                joined.set(joined.size() - 1, since(last.time().start(), newer(last, row)));
            } else {
                joined.add(row);
            }
        }
        return joined;
    }

    private static boolean goesOn(PriceRow last, PriceRow next) {
        Instant known = PriceValidity.of(last).end().orElseThrow();
        return !known.isBefore(next.time().start()) && PriceLine.amounts(last).equals(PriceLine.amounts(next));
    }

    private static PriceRow newer(PriceRow one, PriceRow other) {
        return one.provenance().retrieved().isAfter(other.provenance().retrieved()) ? one : other;
    }

    private static PriceRow since(Instant start, PriceRow row) {
        Interval time = new Interval(start, row.time().end());
        return switch (row) {
            case PriceRow.OnDemand it -> new PriceRow.OnDemand(it.instanceType(), it.region(), time, it.perHour());
            case PriceRow.Spot it -> new PriceRow.Spot(it.instanceType(), it.region(), it.zone(), time, it.perHour());
            case PriceRow.Committed it ->
                new PriceRow.Committed(it.instanceType(), it.region(), it.commitment(), time, it.perHour());
            case PriceRow.Lambda it -> new PriceRow.Lambda(it.region(), it.architecture(), time, it.rates());
            case PriceRow.Fargate it -> new PriceRow.Fargate(it.region(), it.architecture(), time, it.rate());
            case PriceRow.SpotAverage _, PriceRow.FargateSpot _, PriceRow.ServerlessGpu _ ->
                throw new IllegalArgumentException("no provider is asked for " + row);
        };
    }
}
