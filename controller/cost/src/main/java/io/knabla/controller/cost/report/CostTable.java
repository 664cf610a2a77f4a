package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.CheckedUsage;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.token.TokenCost;
import io.knabla.controller.cost.token.TokenCounts;
import io.knabla.controller.cost.token.TokenPrice;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A report's rows by one dimension.
 *
 * @param zone whose months, days and hours are meant
 * @param main the scenario that the rows' costs, splits and figures are of
 * @param totals dollars of every scenario, the main one included; its rows sum to each to the last digit
 * @param rows in the order of time, or the largest cost first; {@link Group#IDLE} is last
 */
public record CostTable(
        Dimension dimension,
        ZoneId zone,
        Period period,
        Scenario main,
        Map<Scenario, BigDecimal> totals,
        List<CostRow> rows) {
    private static final Group TOTAL = Group.named("total");

    /** @throws NotConserved if the rows do not sum to the totals */
    public CostTable {
        Map<Scenario, BigDecimal> ordered = new EnumMap<>(Scenario.class);
        ordered.putAll(totals);
        totals = Collections.unmodifiableMap(ordered);
        rows = List.copyOf(rows);
        for (Map.Entry<Scenario, BigDecimal> total : totals.entrySet()) {
            Scenario scenario = total.getKey();
            BigDecimal sum = Dollars.sum(rows.stream()
                    .map(row ->
                            (scenario == main ? row.cost() : row.others().getOrDefault(scenario, Amount.ZERO)).priced())
                    .toList());
            requireEqual(scenario.toString(), total.getValue(), sum);
        }
        for (CostRow row : rows) {
            BigDecimal split = Dollars.sum(List.copyOf(row.split().values()));
            requireEqual("the split of " + row.group().name(), row.cost().priced(), split);
        }
    }

    private static void requireEqual(String what, BigDecimal expected, BigDecimal actual) {
        if (expected.compareTo(actual) != 0) {
            throw new NotConserved(what, expected, actual);
        }
    }

    /**
     * Groups scenarios of the same usage.
     *
     * @param results at most one of each scenario, of these rows and this period
     * @throws NotConserved if the groups do not sum to a scenario's total
     */
    public static CostTable of(
            Dimension dimension,
            ZoneId zone,
            Scenario main,
            UsageRows rows,
            Period period,
            List<ScenarioResult> results) {
        UsageIndex index = new UsageIndex(CheckedUsage.of(rows, period), period);
        Map<Scenario, BigDecimal> totals = totals(main, results);
        TableRows table = new TableRows(main, Grouping.of(dimension, zone, index));
        for (ScenarioResult result : results) {
            result.feed(table.sink(result.scenario()));
            table.add(result.scenario(), result.unpriced());
        }
        TableRows.add(index, List.of(table));
        return new CostTable(dimension, zone, period, main, totals, table.rows());
    }

    static Map<Scenario, BigDecimal> totals(Scenario main, List<ScenarioResult> results) {
        Map<Scenario, BigDecimal> totals = new EnumMap<>(Scenario.class);
        for (ScenarioResult result : results) {
            if (totals.put(result.scenario(), result.total()) != null) {
                throw new IllegalArgumentException(
                        "a table has each scenario once, but there are two results of " + result.scenario());
            }
        }
        if (!totals.containsKey(main)) {
            throw new IllegalArgumentException("the main scenario %s must be among the results, but these are of %s"
                    .formatted(main, totals.keySet()));
        }
        return totals;
    }

    /** Sums of all rows. */
    public CostRow total() {
        return sum(TOTAL, rows);
    }

    /**
     * The same table with at most so many rows of named groups: the first ones, and one row, {@code (3 others)}, of
     * which the rest are summed up.
     *
     * @param most at least 1
     */
    public CostTable limited(int most) {
        List<CostRow> named =
                rows.stream().filter(row -> !row.group().isUnnamed()).toList();
        if (named.size() <= most) {
            return this;
        }
        List<CostRow> rest = named.subList(most, named.size());
        List<CostRow> limited = new ArrayList<>(named.subList(0, most));
        limited.add(sum(Group.named("(%d others)".formatted(rest.size())), rest));
        rows.stream().filter(row -> row.group().isUnnamed()).forEach(limited::add);
        return new CostTable(dimension, zone, period, main, totals, limited);
    }

    private CostRow sum(Group group, List<CostRow> summands) {
        Map<Scenario, Amount> none = new EnumMap<>(Scenario.class);
        totals.keySet().stream().filter(scenario -> scenario != main).forEach(other -> none.put(other, Amount.ZERO));
        CostRow zero = new CostRow(group, UsageTotals.NONE, Map.of(), Amount.ZERO, none);
        return summands.stream().reduce(zero, CostRow::plus);
    }

    /**
     * What the tokens of a row cost. Empty for rows without tokens, and for those that other work may be in: what that
     * costs would be counted as the tokens'.
     *
     * @param prices of others, for comparison
     */
    public Optional<TokenCost> tokens(CostRow row, List<TokenPrice> prices) {
        return TokenCounts.of(row.use().work().counters())
                .filter(_ -> dimension.isOfOneFunction() && !isSum(row.group()))
                .map(tokens -> TokenCost.of(tokens, row.cost().whole(), prices));
    }

    /** Functions' names have no parentheses. */
    private static boolean isSum(Group group) {
        return group.equals(TOTAL) || group.name().startsWith("(");
    }

    /** The scenarios beside the main one, in the order of {@link Scenario}. */
    public List<Scenario> others() {
        return totals.keySet().stream().filter(scenario -> scenario != main).toList();
    }

    /** Rows do not sum to what they are rows of; a report then must not be shown. */
    public static final class NotConserved extends RuntimeException {
        NotConserved(String what, BigDecimal expected, BigDecimal actual) {
            super(
                    "the groups do not add up, so no table is made of them: %s is %s USD, but its parts sum to %s USD, a difference of %s USD"
                            .formatted(
                                    what,
                                    expected.toPlainString(),
                                    actual.toPlainString(),
                                    actual.subtract(expected).toPlainString()));
        }
    }
}
