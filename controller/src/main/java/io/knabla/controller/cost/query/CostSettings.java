package io.knabla.controller.cost.query;

import io.knabla.controller.cost.budget.Budget;
import io.knabla.controller.cost.token.TokenPrice;
import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.price.DeclaredPrice;
import io.knabla.functions.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The lists {@code prices:}, {@code budgets:} and {@code tokenPrices:} of config.yaml. Only the file can state them.
 *
 * @param faults of all; if there are any, the lists are of no use
 */
public record CostSettings(
        List<DeclaredPrice> prices, List<Budget> budgets, List<TokenPrice> tokenPrices, List<Fault> faults) {

    public static CostSettings of(ConfigFile file) {
        List<Fault> faults = new ArrayList<>();
        for (String list : List.of("prices", "budgets", "tokenPrices")) {
            if (file.below(list).values().stream().anyMatch(text -> !text.isBlank())) {
                faults.add(new Fault(list, "must be a list of mappings, each behind a -"));
            }
        }
        List<DeclaredPrice> prices = DeclaredPriceReader.read(entries(file, "prices"), faults);
        List<Budget> budgets = BudgetReader.read(entries(file, "budgets"), faults);
        List<TokenPrice> tokenPrices = TokenPriceReader.read(entries(file, "tokenPrices"), faults);
        return new CostSettings(prices, budgets, tokenPrices, List.copyOf(faults));
    }

    private static List<Map<String, String>> entries(ConfigFile file, String list) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> file.below("%s[%d]".formatted(list, i)))
                .takeWhile(entry -> !entry.isEmpty())
                .toList();
    }
}
