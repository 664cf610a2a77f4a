package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.cost.token.TokenCost;
import io.knabla.controller.cost.token.TokenPrice;
import java.util.List;

/**
 * What the tokens of functions cost, as cells of a table on a terminal.
 *
 * @param listPrices names of the prices that they are compared with
 * @param rows of the functions that count tokens, in the order of the report
 */
public record TokenCostTable(List<String> listPrices, List<Row> rows) {
    public TokenCostTable {
        listPrices = List.copyOf(listPrices);
        rows = List.copyOf(rows);
    }

    /**
     * Texts of one row.
     *
     * @param perMillion dollars of a million prompt and generated tokens
     * @param atListPrices dollars of a million of the same tokens at each list price
     */
    public record Row(
            String group,
            String prompt,
            String cached,
            String generated,
            String perMillion,
            List<String> atListPrices) {}

    public static TokenCostTable of(CostTable table, List<TokenPrice> prices) {
        return new TokenCostTable(
                prices.stream().map(TokenPrice::name).toList(),
                table.rows().stream()
                        .flatMap(row -> table.tokens(row, prices).map(cost -> row(row.group(), cost)).stream())
                        .toList());
    }

    private static Row row(Group group, TokenCost cost) {
        return new Row(
                group.name(),
                Long.toString(cost.tokens().prompt()),
                Long.toString(cost.tokens().cached()),
                Long.toString(cost.tokens().generated()),
                cost.usdPerMillion().map(Dollars::text).orElse(CostBars.NONE),
                cost.others().stream()
                        .map(other -> Dollars.text(other.usdPerMillion()))
                        .toList());
    }
}
