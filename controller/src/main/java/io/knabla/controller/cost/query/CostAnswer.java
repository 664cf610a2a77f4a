package io.knabla.controller.cost.query;

import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.report.CostReport;
import io.knabla.controller.cost.report.CostTable;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.report.FocusRow;
import io.knabla.controller.cost.report.FocusRows;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import java.util.List;
import java.util.Optional;

/**
 * The usage of a query's period under every scenario.
 *
 * @param damages parts of the ledger that could not be read; empty if the usage is complete
 * @param priceDamages refreshed prices that could not be read
 * @param budgets of this platform, as they are now
 */
public record CostAnswer(
        CostQuery query,
        UsageRows rows,
        List<LedgerDamage> damages,
        List<String> priceDamages,
        List<ScenarioResult> results,
        List<BudgetStatus> budgets) {
    public CostAnswer {
        damages = List.copyOf(damages);
        priceDamages = List.copyOf(priceDamages);
        results = List.copyOf(results);
        budgets = List.copyOf(budgets);
    }

    public CostReport report() {
        return report(query.dimension());
    }

    /** @throws CostTable.NotConserved if the groups do not add up */
    public CostReport report(Dimension dimension) {
        CostTable table = CostTable.of(dimension, query.zone(), query.main(), rows, query.period(), results);
        return new CostReport(table, results);
    }

    List<FocusRow> focus() {
        return FocusRows.of(
                rows, query.period(), result(Scenario.AS_IT_RAN), Optional.of(result(Scenario.ALL_ON_DEMAND)));
    }

    ScenarioResult result(Scenario scenario) {
        return results.get(scenario.ordinal());
    }
}
