package io.knabla.controller.cost.report;

import io.knabla.controller.billing.Charge;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.Period;
import io.knabla.controller.billing.TopUp;
import io.knabla.controller.cost.scenario.CheckedUsage;
import io.knabla.controller.cost.scenario.CostLine;
import io.knabla.controller.cost.scenario.CostPart;
import io.knabla.controller.cost.scenario.NodeAllocation;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.token.TokenCounts;
import io.knabla.controller.price.Provenance.Quality;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes rows of FOCUS 1.2 from what was paid: each line of the cost, by day of UTC. The billed costs sum to the
 * scenario's total to the last digit. Lines that cost nothing, at list price as well, are left out.
 *
 * <p>List prices are those on demand, as AWS has it. Where a price is missing for a part of a day, what that day's
 * lines would have cost is not known, so the list cost is what was billed.
 */
public final class FocusRows {
    /** Enough that hours times a price below a million dollars differ from the dollars by less than the last digit. */
    private static final int HOURS_SCALE = 24;

    private final UsageIndex index;
    private final TimeWeights paidOver;
    private final Map<String, NodeBill> paid;
    private final Optional<OnDemand> onDemand;

    private FocusRows(UsageIndex index, ScenarioResult paid, Optional<ScenarioResult> onDemand) {
        TimeBuckets days = TimeBuckets.days(index.period(), ZoneOffset.UTC);
        this.index = index;
        this.paid = bills(paid);
        this.paidOver = TimeWeights.of(paid, days, index);
        this.onDemand = onDemand.map(
                result -> new OnDemand(TimeWeights.of(result, days, index), byRowAndPart(result), bills(result)));
    }

    private record RowPart(String row, CostPart part) {}

    private record OnDemand(TimeWeights over, Map<RowPart, CostLine> lines, Map<String, NodeBill> bills) {}

    /**
     * @param paid as it ran; other scenarios are no bills
     * @param onDemand all on demand, for the list prices
     */
    public static List<FocusRow> of(
            UsageRows rows, Period period, ScenarioResult paid, Optional<ScenarioResult> onDemand) {
        require(Scenario.AS_IT_RAN, paid);
        onDemand.ifPresent(result -> require(Scenario.ALL_ON_DEMAND, result));
        return new FocusRows(new UsageIndex(CheckedUsage.of(rows, period), period), paid, onDemand).rows(paid.lines());
    }

    private static void require(Scenario scenario, ScenarioResult result) {
        if (result.scenario() != scenario) {
            throw new IllegalArgumentException(
                    "a FOCUS export is of what was paid, %s, with list prices of %s, not of %s"
                            .formatted(Scenario.AS_IT_RAN, Scenario.ALL_ON_DEMAND, result.scenario()));
        }
    }

    private static Map<RowPart, CostLine> byRowAndPart(ScenarioResult result) {
        return result.lines().stream()
                .collect(Collectors.toMap(line -> new RowPart(line.row(), line.part()), Function.identity()));
    }

    private static Map<String, NodeBill> bills(ScenarioResult result) {
        return result.nodes().stream()
                .map(NodeAllocation::bill)
                .collect(Collectors.toMap(bill -> bill.node().id(), Function.identity()));
    }

    private List<FocusRow> rows(List<CostLine> lines) {
        List<FocusRow> rows = new ArrayList<>();
        for (CostLine line : lines) {
            Map<Group, BigDecimal> billed = paidOver.split(line);
            Map<Group, BigDecimal> listed = listed(line);
            Set<Group> days = new LinkedHashSet<>(billed.keySet());
            days.addAll(listed.keySet());
            for (Group day : days) {
                BigDecimal list = listed.getOrDefault(day, Dollars.ZERO);
                rows.add(row(line, day.time().orElseThrow(), billed.getOrDefault(day, Dollars.ZERO), list));
            }
        }
        rows.removeIf(row -> row.billed().signum() == 0 && row.listed().signum() == 0);
        return List.copyOf(rows);
    }

    private Map<Group, BigDecimal> listed(CostLine line) {
        return onDemand.flatMap(result -> Optional.ofNullable(result.lines().get(new RowPart(line.row(), line.part())))
                        .map(result.over()::split))
                .orElse(Map.of());
    }

    private FocusRow row(CostLine line, Interval day, BigDecimal billed, BigDecimal listed) {
        NodeInterval node = nodeOf(line);
        Optional<BigDecimal> listPrice = complete(paid.get(node.id()), day) ? listPrice(node, day) : Optional.empty();
        return listPrice
                .map(price -> new FocusRow(
                        line,
                        node,
                        day,
                        billed,
                        listed,
                        listPrice,
                        isAssumed(node, day),
                        listed.divide(price, HOURS_SCALE, RoundingMode.HALF_EVEN),
                        tokens(line, day)))
                .orElseGet(() -> new FocusRow(
                        line,
                        node,
                        day,
                        billed,
                        billed,
                        Optional.empty(),
                        isAssumed(node, day),
                        hours(billed, node, day),
                        tokens(line, day)));
    }

    private Optional<TokenCounts> tokens(CostLine line, Interval day) {
        return line.part() == CostPart.USE
                ? index.replica(line.row())
                        .map(replica -> index.use(replica, day).work().counters())
                        .flatMap(TokenCounts::of)
                : Optional.empty();
    }

    private NodeInterval nodeOf(CostLine line) {
        return index.node(line.row())
                .or(() -> index.replica(line.row()).map(ReplicaInterval::node).flatMap(index::node))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the cost of %s is of no known node: make the rows of the usage that was priced"
                                .formatted(line.row())));
    }

    private Optional<BigDecimal> listPrice(NodeInterval node, Interval day) {
        return onDemand.map(result -> result.bills().get(node.id()))
                .filter(bill -> complete(bill, day))
                .flatMap(bill -> price(bill, day))
                .filter(price -> price.signum() > 0);
    }

    /** The day's price; if it changed, the average over the node's time, which FOCUS has one field for. */
    private static Optional<BigDecimal> price(NodeBill bill, Interval day) {
        List<Charge> charges = within(bill, day);
        List<BigDecimal> prices = charges.stream()
                .map(charge -> charge.perHour().usd())
                .distinct()
                .toList();
        return prices.size() > 1
                ? Optional.of(dollarSeconds(charges).divide(seconds(charges), HOURS_SCALE, RoundingMode.HALF_EVEN))
                : prices.stream()
                        .findFirst()
                        .or(() -> bill.topUp().map(TopUp::perHour).map(perHour -> perHour.usd()));
    }

    private static BigDecimal seconds(List<Charge> charges) {
        return charges.stream().map(Charge::seconds).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal dollarSeconds(List<Charge> charges) {
        return charges.stream().map(Charge::dollarSeconds).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static boolean complete(NodeBill bill, Interval day) {
        return bill.unpriced().stream()
                .noneMatch(gap ->
                        gap.time().within(day.start(), day.end().orElseThrow()).isPresent());
    }

    /** Hours that the dollars buy at the node's average price of the day. */
    private BigDecimal hours(BigDecimal billed, NodeInterval node, Interval day) {
        NodeBill bill = paid.get(node.id());
        List<Charge> charges = within(bill, day);
        BigDecimal dollarSeconds = dollarSeconds(charges);
        if (dollarSeconds.signum() > 0) {
            return billed.multiply(seconds(charges)).divide(dollarSeconds, HOURS_SCALE, RoundingMode.HALF_EVEN);
        }
        return price(bill, day)
                .filter(price -> price.signum() > 0)
                .map(price -> billed.divide(price, HOURS_SCALE, RoundingMode.HALF_EVEN))
                .orElse(BigDecimal.ZERO);
    }

    private boolean isAssumed(NodeInterval node, Interval day) {
        return within(paid.get(node.id()), day).stream()
                .anyMatch(charge -> charge.perHour().provenance().quality() == Quality.ASSUMED);
    }

    private static List<Charge> within(NodeBill bill, Interval day) {
        return bill.charges().stream()
                .flatMap(charge -> charge.time().within(day.start(), day.end().orElseThrow()).stream()
                        .map(part -> new Charge(part, charge.perHour())))
                .toList();
    }
}
