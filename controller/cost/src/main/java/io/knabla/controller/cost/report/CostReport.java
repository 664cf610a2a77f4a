package io.knabla.controller.cost.report;

import io.knabla.controller.cost.scenario.ScenarioResult;
import java.util.List;

/**
 * A table and the scenarios that it was made of.
 *
 * @param scenarios of the table, with the prices and assumptions that they rest on
 */
public record CostReport(CostTable table, List<ScenarioResult> scenarios) {
    /** All amounts are in US dollars. */
    public static final String CURRENCY = "USD";

    public CostReport {
        scenarios = List.copyOf(scenarios);
        List<?> names =
                scenarios.stream().map(ScenarioResult::scenario).sorted().toList();
        if (!names.equals(List.copyOf(table.totals().keySet()))) {
            throw new IllegalArgumentException("the table is of the scenarios %s, but the results are of %s"
                    .formatted(table.totals().keySet(), names));
        }
    }
}
