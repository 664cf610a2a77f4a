package io.knabla.controller.cost.query;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.report.Dimension;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.price.DeclaredPrice;
import java.time.ZoneId;
import java.util.List;

/**
 * What a cost report is about.
 *
 * @param zone whose months, days and hours are meant
 * @param main the scenario that the rows are of; all others stand beside it
 * @param prices declared for this report only; they come before those of config.yaml
 */
public record CostQuery(
        Period period,
        Dimension dimension,
        ZoneId zone,
        Scenario main,
        ScenarioOptions options,
        List<DeclaredPrice> prices) {
    public CostQuery {
        prices = List.copyOf(prices);
    }
}
