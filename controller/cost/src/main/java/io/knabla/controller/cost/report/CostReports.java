package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.Assumption;
import io.knabla.controller.cost.scenario.CheckedUsage;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.CostSink;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.price.PriceBook;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Makes reports of one usage by several dimensions. Amounts are added to their groups at once, and not kept. */
public final class CostReports {
    private CostReports() {}

    /**
     * What is asked.
     *
     * @param zone whose months, days and hours are meant
     * @param main the scenario that the rows' costs, splits and figures are of; always among the scenarios
     */
    public record Question(
            Period period, ZoneId zone, Set<Dimension> dimensions, Scenario main, Set<Scenario> scenarios) {}

    /**
     * Returns a report by each dimension, all of the same scenarios.
     *
     * @throws io.knabla.controller.cost.scenario.Conservation.NotConserved if the amounts do not add up
     */
    public static Map<Dimension, CostReport> of(
            Question question, UsageRows rows, PriceBook book, ScenarioOptions options) {
        CheckedUsage usage = CheckedUsage.of(rows, question.period());
        UsageIndex index = new UsageIndex(usage, question.period());
        Map<Dimension, TableRows> tables = new LinkedHashMap<>();
        question.dimensions()
                .forEach(by -> tables.put(by, new TableRows(question.main(), Grouping.of(by, question.zone(), index))));
        Scenarios scenarios = new Scenarios(usage, question.period(), book, options);
        List<ScenarioResult> results = new ArrayList<>();
        for (Scenario scenario : Scenario.values()) {
            if (scenario == question.main() || question.scenarios().contains(scenario)) {
                results.add(priced(scenario, scenarios, List.copyOf(tables.values())));
            }
        }
        TableRows.add(index, tables.values());
        Map<Dimension, CostReport> reports = new LinkedHashMap<>();
        tables.forEach((by, table) -> {
            CostTable whole = new CostTable(
                    by,
                    question.zone(),
                    question.period(),
                    question.main(),
                    CostTable.totals(question.main(), results),
                    table.rows());
            reports.put(by, new CostReport(whole, results));
        });
        return reports;
    }

    /**
     * Returns a row for every version and hour of UTC that has a cost or lacks a price, as it ran and on demand; what
     * belongs to no version is {@link Group#IDLE} of its hour. The rows have no usage.
     *
     * @throws CostTable.NotConserved if they do not sum to the totals
     */
    public static List<CostRow> byVersionAndHour(UsageRows rows, Period period, PriceBook book) {
        CheckedUsage usage = CheckedUsage.of(rows, period);
        TableRows table =
                new TableRows(Scenario.AS_IT_RAN, new GroupingByVersionAndHour(new UsageIndex(usage, period)));
        Scenarios scenarios = new Scenarios(usage, period, book, ScenarioOptions.DEFAULT);
        List<ScenarioResult> results = Stream.of(Scenario.AS_IT_RAN, Scenario.ALL_ON_DEMAND)
                .map(scenario -> priced(scenario, scenarios, List.of(table)))
                .toList();
        return new CostTable(
                        Dimension.HOUR,
                        ZoneOffset.UTC,
                        period,
                        Scenario.AS_IT_RAN,
                        CostTable.totals(Scenario.AS_IT_RAN, results),
                        table.rows())
                .rows();
    }

    private static ScenarioResult priced(Scenario scenario, Scenarios scenarios, List<TableRows> tables) {
        List<CostSink> sinks =
                tables.stream().map(table -> table.sink(scenario)).toList();
        ScenarioResult result = scenarios.price(scenario, sinks.size() == 1 ? sinks.getFirst() : new All(sinks));
        tables.forEach(table -> table.add(scenario, result.unpriced()));
        return result;
    }

    /** Hands everything to several sinks. */
    private record All(List<CostSink> sinks) implements CostSink {
        @Override
        public void assume(Assumption assumption) {
            sinks.forEach(sink -> sink.assume(assumption));
        }

        @Override
        public void node(NodeAllocation node, List<CostLine> lines) {
            sinks.forEach(sink -> sink.node(node, lines));
        }

        @Override
        public void line(CostLine line) {
            sinks.forEach(sink -> sink.line(line));
        }
    }
}
