package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.budget.Budget;
import io.knabla.controller.cost.budget.BudgetPeriod;
import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.report.Amount;
import io.knabla.controller.cost.report.CostRow;
import io.knabla.controller.cost.report.CostTable;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.controller.usage.Interval;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Computes how much of each budget is spent. */
@Singleton
public class Budgets {
    private final UsagePricing pricing;
    private final Clock clock;
    private final List<Budget> budgets;

    Budgets(UsagePricing pricing, Home home, Clock clock) {
        this.pricing = pricing;
        this.clock = clock;
        this.budgets = CostSettings.of(ConfigFile.read(home.config())).budgets();
    }

    public boolean isEmpty() {
        return budgets.isEmpty();
    }

    /** In the order of config.yaml; without budgets, nothing is read. */
    public List<BudgetStatus> statuses() throws IOException {
        Instant now = clock.instant();
        Map<BudgetPeriod, Spent> spent = new TreeMap<>();
        List<BudgetStatus> statuses = new ArrayList<>();
        for (Budget budget : budgets) {
            Interval current = budget.period().around(now);
            if (!spent.containsKey(budget.period())) {
                spent.put(budget.period(), spent(current, now));
            }
            statuses.add(
                    new BudgetStatus(budget, current, spent.get(budget.period()).of(budget), now));
        }
        return List.copyOf(statuses);
    }

    private Spent spent(Interval current, Instant now) throws IOException {
        Period period = new Period(current.start(), current.end().orElseThrow(), now);
        UsagePricing.Read read = pricing.read(period);
        ScenarioResult result = pricing.asItRan(read, period);
        return new Spent(
                byGroup(Dimension.FUNCTION, read, period, result), byGroup(Dimension.NAMESPACE, read, period, result));
    }

    private static Map<String, Amount> byGroup(
            Dimension dimension, UsagePricing.Read read, Period period, ScenarioResult result) {
        CostTable table =
                CostTable.of(dimension, ZoneOffset.UTC, Scenario.AS_IT_RAN, read.rows(), period, List.of(result));
        Map<String, Amount> groups = new TreeMap<>();
        for (CostRow row : table.rows()) {
            groups.put(row.group().name(), row.cost());
        }
        return groups;
    }

    private record Spent(Map<String, Amount> functions, Map<String, Amount> namespaces) {
        Amount of(Budget budget) {
            Amount amount = budget.function().isPresent()
                    ? functions.get(budget.namespace() + "/" + budget.function().get())
                    : namespaces.get(budget.namespace());
            return amount == null ? Amount.ZERO : amount;
        }
    }
}
