package io.knabla.controller.cost.query;

import io.knabla.controller.cost.report.CostBars;
import io.knabla.controller.cost.report.CostNotes;
import io.knabla.controller.cost.report.CostReport;
import io.knabla.controller.cost.report.TokenCostTable;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.token.TokenPrice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A report as texts and table cells for a terminal.
 *
 * @param by dimension of the rows
 * @param table cells; the longest bar has 20 characters
 * @param tokens of functions that count them; may have no rows
 * @param scenarios all offers
 * @param notes what the table rests on, the most serious ones first
 */
public record TerminalReport(
        Instant from,
        Instant until,
        String timeZone,
        String by,
        CostBars table,
        TokenCostTable tokens,
        List<Offer> scenarios,
        List<String> notes,
        List<BudgetView> budgets,
        List<ForecastView> forecasts) {
    private static final int BAR = 20;

    /**
     * @param cost dollars, or that there is no price
     * @param withoutFreeTier dollars if the account's free tier were used up; a dash if the offer has none
     * @param notes of this offer alone
     */
    public record Offer(String name, String cost, String withoutFreeTier, List<String> notes) {
        static Offer of(ScenarioResult result) {
            return new Offer(
                    ConstantNames.of(result.scenario()),
                    CostBars.total(result),
                    CostBars.withoutFreeTier(result),
                    CostNotes.of(result));
        }
    }

    static TerminalReport of(CostAnswer answer, List<TokenPrice> tokenPrices) {
        CostReport report = answer.report();
        CostQuery query = answer.query();
        List<String> notes = new ArrayList<>();
        answer.damages()
                .forEach(damage -> notes.add("usage not read: %s (%s, %s)"
                        .formatted(damage.name(), ConstantNames.of(damage.type()), damage.detail())));
        answer.priceDamages().forEach(damage -> notes.add("prices not read: " + damage));
        notes.addAll(CostNotes.of(answer.result(query.main())));
        return new TerminalReport(
                query.period().from(),
                query.period().until(),
                query.zone().getId(),
                ConstantNames.of(query.dimension()),
                CostBars.of(report.table(), BAR),
                TokenCostTable.of(report.table(), tokenPrices),
                report.scenarios().stream().map(Offer::of).toList(),
                notes,
                answer.budgets().stream().map(BudgetView::of).toList(),
                answer.forecasts());
    }
}
