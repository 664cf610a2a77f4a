package io.knabla.controller.cost.page;

import io.knabla.controller.billing.Period;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.token.TokenPrice;
import java.time.ZoneId;
import java.util.List;

/**
 * A report's rows and what they cost.
 *
 * @param zone whose days and hours are meant
 * @param results of these rows and this period; as it ran must be among them
 * @param tokenPrices at which tokens are priced as well
 * @param damages sentences about usage that could not be read
 */
public record CostPageInput(
        UsageRows rows,
        Period period,
        ZoneId zone,
        List<ScenarioResult> results,
        List<TokenPrice> tokenPrices,
        List<String> damages) {
    public CostPageInput {
        tokenPrices = List.copyOf(tokenPrices);
        results = List.copyOf(results);
        damages = List.copyOf(damages);
        ran(results);
    }

    ScenarioResult ran() {
        return ran(results);
    }

    private static ScenarioResult ran(List<ScenarioResult> results) {
        return results.stream()
                .filter(result -> result.scenario() == Scenario.AS_IT_RAN)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a cost page needs %s among its scenarios, not only %s"
                        .formatted(
                                Scenario.AS_IT_RAN,
                                results.stream().map(ScenarioResult::scenario).toList())));
    }
}
