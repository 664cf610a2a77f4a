package io.knabla.controller.cost.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.cost.scenario.FunctionVersion;
import io.knabla.controller.cost.scenario.Scenario;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Dollars as it ran by version and hour of UTC, as rows of a table. They sum to those of a report of the same period to
 * the last digit. What belongs to no version, such as a node's time that no replica held, has no namespace, function
 * and version.
 */
public final class HourlyCosts {
    public static final String NAME = "costs";

    /** Names and types as DuckDB's {@code read_json} takes them. */
    public static final String COLUMNS = """
            hour: 'TIMESTAMP', namespace: 'VARCHAR', function: 'VARCHAR', version: 'INTEGER',
            usd: 'DECIMAL(38,%1$d)', idle_usd: 'DECIMAL(38,%1$d)', on_demand_usd: 'DECIMAL(38,%1$d)', complete: 'BOOLEAN'
            """.formatted(Dollars.SCALE);

    private HourlyCosts() {}

    /**
     * A line of JSON for each row.
     *
     * @param rows of {@link CostReports#byVersionAndHour}
     */
    public static Stream<String> lines(List<CostRow> rows) {
        return rows.stream().map(HourlyCosts::line);
    }

    private static String line(CostRow row) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        Instant start = row.group().time().orElseThrow().start();
        line.put("hour", start.truncatedTo(ChronoUnit.HOURS).toString());
        if (!row.group().name().equals(Group.IDLE.name())) {
            FunctionVersion version = FunctionVersion.parse(row.group().name());
            line.put("namespace", version.namespace())
                    .put("function", version.function())
                    .put("version", version.version());
        }
        Optional<BigDecimal> usd = row.cost().known();
        line.put("usd", Decimals.plainOrNull(usd))
                .put(
                        "idle_usd",
                        Decimals.plainOrNull(usd.map(priced -> row.split().get(CostKind.IDLE))))
                .put(
                        "on_demand_usd",
                        Decimals.plainOrNull(
                                row.others().get(Scenario.ALL_ON_DEMAND).whole()))
                .put("complete", row.cost().missing().isEmpty());
        return line.toString();
    }
}
