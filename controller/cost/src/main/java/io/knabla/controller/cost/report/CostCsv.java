package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.UsageSummary.ResourceSeconds;
import io.knabla.controller.cost.token.TokenCost;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes a {@link CostTable} as CSV of RFC 4180: one line per row, and none for the total.
 *
 * <p>Names of columns end with their unit. Each scenario has its dollars and, in a column whose name ends with
 * {@code _missing}, why prices are missing; a cost without any price is an empty cell. Decimals are plain. Counters are
 * one cell with an object of JSON, empty if there are none.
 */
public final class CostCsv {
    private static final List<String> KEYS = List.of("dimension", "group", "start_utc", "end_utc");
    private static final List<String> USAGE = List.of(
            "replica_seconds",
            "requested_vcpu_seconds",
            "requested_gib_seconds",
            "requested_gpu_seconds",
            "used_vcpu_seconds",
            "used_gib_seconds",
            "used_gpu_seconds",
            "requests_ok",
            "requests_failed",
            "requests_retried",
            "elements");
    private static final List<String> FIGURES =
            List.of("saved_usd", "saved_share", "usd_per_1000_requests", "usd_per_million_elements");
    private static final List<String> COUNTERS = List.of("counters", "usd_per_million_tokens");

    private CostCsv() {}

    public static void write(CostTable table, Appendable out) throws IOException {
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader(header(table).toArray(String[]::new))
                .get();
        CSVPrinter printer = format.print(out);
        for (CostRow row : table.rows()) {
            printer.printRecord(cells(table, row));
        }
    }

    static List<String> header(CostTable table) {
        Stream<String> kinds = Arrays.stream(CostKind.values()).map(kind -> lower(kind) + "_usd");
        Stream<String> scenarios = Stream.concat(
                        Stream.of("total"), table.others().stream().map(CostCsv::lower))
                .flatMap(name -> Stream.of(name + "_usd", name + "_missing"));
        return Stream.of(KEYS.stream(), USAGE.stream(), kinds, scenarios, FIGURES.stream(), COUNTERS.stream())
                .flatMap(names -> names)
                .toList();
    }

    private static List<String> cells(CostTable table, CostRow row) {
        List<String> cells = new ArrayList<>();
        Optional<Interval> time = row.group().time();
        cells.add(lower(table.dimension()));
        cells.add(row.group().name());
        cells.add(time.map(Interval::start).map(Object::toString).orElse(null));
        cells.add(time.flatMap(Interval::end).map(Object::toString).orElse(null));
        addUsage(cells, row.use());
        row.split().values().forEach(usd -> cells.add(Decimals.plain(usd)));
        add(cells, row.cost());
        for (Scenario scenario : table.others()) {
            add(cells, row.others().get(scenario));
        }
        cells.add(Decimals.plainOrNull(row.saved().map(CostRow.Saving::usd)));
        cells.add(Decimals.plainOrNull(row.saved().flatMap(CostRow.Saving::share)));
        cells.add(Decimals.plainOrNull(row.perUnit().perThousandRequests()));
        cells.add(Decimals.plainOrNull(row.perUnit().perMillionElements()));
        Counters counters = row.use().work().counters();
        cells.add(counters.isEmpty() ? null : counters.json());
        cells.add(Decimals.plainOrNull(table.tokens(row, List.of()).flatMap(TokenCost::usdPerMillion)));
        return cells;
    }

    private static void addUsage(List<String> cells, UsageTotals use) {
        cells.add(Decimals.plain(use.replicaSeconds()));
        for (ResourceSeconds amount : List.of(use.requested(), use.used())) {
            cells.add(Decimals.plain(amount.vcpu()));
            cells.add(Decimals.plain(UsageTotals.gibSeconds(amount)));
            cells.add(Decimals.plain(amount.gpu()));
        }
        Work work = use.work();
        for (long count : new long[] {work.succeeded(), work.failed(), work.retried(), work.elements()}) {
            cells.add(Long.toString(count));
        }
    }

    private static void add(List<String> cells, Amount amount) {
        cells.add(Decimals.plainOrNull(amount.known()));
        cells.add(amount.missing().isEmpty() ? null : reasons(amount.missing()));
    }

    private static String reasons(Set<Unpriced.Reason> reasons) {
        return reasons.stream().map(Enum::name).collect(Collectors.joining(" "));
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
