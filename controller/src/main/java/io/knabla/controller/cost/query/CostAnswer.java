package io.knabla.controller.cost.query;

import io.knabla.controller.cost.budget.BudgetStatus;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.cost.report.CostReport;
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
 * @param report of all scenarios
 * @param budgets of this platform, as they are now
 * @param forecasts of its functions, as they are now; none in a format that does not show them
 */
public record CostAnswer(
        CostQuery query,
        UsageRows rows,
        List<LedgerDamage> damages,
        List<String> priceDamages,
        CostReport report,
        List<BudgetStatus> budgets,
        List<ForecastView> forecasts) {
    public CostAnswer {
        damages = List.copyOf(damages);
        priceDamages = List.copyOf(priceDamages);
        budgets = List.copyOf(budgets);
        forecasts = List.copyOf(forecasts);
    }

    /** All scenarios, in their order. */
    List<ScenarioResult> results() {
        return report.scenarios();
    }

    List<FocusRow> focus() {
        return FocusRows.of(
                rows, query.period(), result(Scenario.AS_IT_RAN), Optional.of(result(Scenario.ALL_ON_DEMAND)));
    }

    ScenarioResult result(Scenario scenario) {
        return results().get(scenario.ordinal());
    }
}
