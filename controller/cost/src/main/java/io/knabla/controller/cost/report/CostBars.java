package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cells and lengths of bars for a table on a terminal. A bar is as long as its row's cost relative to the largest one.
 *
 * @param rows in the order of the table
 * @param total all rows; its bar has length 0
 */
public record CostBars(List<Row> rows, Row total) {
    /** A value that does not exist, such as a saving without the price on demand. */
    public static final String NONE = "-";

    /** A cost that nothing of which has a price. */
    public static final String NO_PRICE = "no price";

    /** Follows a cost that a part of which has no price. */
    public static final String INCOMPLETE = "*";

    public CostBars {
        rows = List.copyOf(rows);
    }

    /**
     * Texts of one row.
     *
     * @param bar length in characters
     * @param replicaHours to 2 digits
     * @param requests answered ones
     * @param cost dollars, with at least 2 digits after the point
     * @param idle dollars of the cost that paid for waiting, as {@link CostKind#IDLE}
     * @param onDemand what it would have cost on demand
     * @param saved percent of that
     */
    public record Row(
            String group,
            int bar,
            String replicaHours,
            String requests,
            String cost,
            String idle,
            String onDemand,
            String saved,
            String perThousandRequests) {}

    /** @param width of the longest bar, in characters */
    public static CostBars of(CostTable table, int width) {
        if (width < 1) {
            throw new IllegalArgumentException("the longest bar has at least one character, but it has " + width);
        }
        BigDecimal largest = table.rows().stream()
                .map(row -> row.cost().priced())
                .max(BigDecimal::compareTo)
                .orElse(BigDecimal.ZERO);
        List<Row> rows = table.rows().stream()
                .map(row -> row(row, length(row.cost().priced(), largest, width)))
                .toList();
        return new CostBars(rows, row(table.total(), 0));
    }

    /** Cost of a whole scenario without the free tier of the account, as in a cell; {@link #NONE} if none is used. */
    public static String withoutFreeTier(ScenarioResult result) {
        return result.freeTier().signum() == 0
                ? NONE
                : Dollars.text(result.total().add(result.freeTier()));
    }

    /** Cost of a whole scenario, as in a cell. */
    public static String total(ScenarioResult result) {
        Set<Unpriced.Reason> missing =
                result.unpriced().stream().map(Unpriced::reason).collect(Collectors.toSet());
        return text(Amount.of(result.total(), missing));
    }

    /** A cost above zero has a bar, however short. */
    private static int length(BigDecimal usd, BigDecimal largest, int width) {
        if (usd.signum() <= 0) {
            return 0;
        }
        int length = usd.multiply(BigDecimal.valueOf(width))
                .divide(largest, 0, RoundingMode.HALF_UP)
                .intValueExact();
        return Math.max(1, length);
    }

    private static Row row(CostRow row, int bar) {
        Optional<Amount> onDemand = Optional.ofNullable(row.others().get(Scenario.ALL_ON_DEMAND));
        return new Row(
                row.group().name(),
                bar,
                row.use()
                        .replicaSeconds()
                        .divide(BigDecimal.valueOf(3600), 2, RoundingMode.HALF_UP)
                        .toPlainString(),
                Long.toString(row.use().work().succeeded()),
                text(row.cost()),
                row.cost() instanceof Amount.Missing
                        ? NONE
                        : Dollars.text(row.split().get(CostKind.IDLE)),
                onDemand.map(CostBars::text).orElse(NONE),
                row.saved()
                        .flatMap(CostRow.Saving::share)
                        .map(CostBars::percent)
                        .orElse(NONE),
                row.perUnit().perThousandRequests().map(Dollars::text).orElse(NONE));
    }

    private static String text(Amount amount) {
        return switch (amount) {
            case Amount.Whole(BigDecimal usd) -> Dollars.text(usd);
            case Amount.Part part -> Dollars.text(part.priced()) + INCOMPLETE;
            case Amount.Missing missing -> NO_PRICE;
        };
    }

    private static String percent(BigDecimal share) {
        return share.movePointRight(2).setScale(1, RoundingMode.HALF_EVEN).toPlainString() + "%";
    }
}
