package io.knabla.controller.cost.query;

import io.knabla.controller.cost.report.Amount;
import java.util.List;

/**
 * What is paid per hour at this moment.
 *
 * @param nodes that are paid for now
 * @param perHour their prices, as far as they are known
 * @param today spent since midnight of the zone
 */
public record CostNow(int nodes, Amount perHour, Amount today, List<BudgetView> budgets) {
    public CostNow {
        budgets = List.copyOf(budgets);
    }
}
