package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.billing.UsedPrice;
import io.knabla.controller.cost.scenario.ScenarioResult.BreakEven;
import io.knabla.controller.price.Price;
import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sums the amounts of a scenario, checks that they add up and hands them on; collects its prices, assumptions and
 * faults.
 */
final class ScenarioResultBuilder {
    private final Scenario scenario;
    private final CostSink sink;
    private final Map<CostPart, BigDecimal> split = new EnumMap<>(CostPart.class);
    private final Set<UsedPrice> prices = new LinkedHashSet<>();
    private final Set<Assumption> assumptions = new LinkedHashSet<>();
    private final List<Unpriced> unpriced = new ArrayList<>();
    private final List<BreakEven> breakEvens = new ArrayList<>();
    private final Set<Fault> faults = new LinkedHashSet<>();
    private final List<Conservation.Difference> differences = new ArrayList<>();
    private BigDecimal total = Dollars.ZERO;
    private BigDecimal credit = Dollars.ZERO;
    private BigDecimal freeTier = Dollars.ZERO;

    ScenarioResultBuilder(Scenario scenario, List<Fault> faults, CostSink sink) {
        this.scenario = scenario;
        this.sink = sink;
        this.faults.addAll(faults);
    }

    void add(CostLine line) {
        total = total.add(line.usd());
        sum(line);
        sink.line(line);
    }

    private void sum(CostLine line) {
        split.merge(line.part(), line.usd(), BigDecimal::add);
        differences.addAll(Conservation.check(scenario, line));
    }

    // Nodes are summed by their bills and not by their lines: a bill that is divided wrongly then shows.
    void add(NodeAllocator.Result result) {
        NodeAllocation node = result.allocation();
        NodeBill bill = node.bill();
        total = total.add(bill.total());
        List<CostLine> lines = node.lines();
        lines.forEach(this::sum);
        differences.addAll(Conservation.check(scenario, node));
        unpriced.addAll(bill.unpriced());
        faults.addAll(result.faults());
        credit = credit.add(bill.credit());
        String hour = hourOf(bill.node());
        bill.charges().forEach(charge -> used(hour, charge.perHour()));
        bill.topUp().ifPresent(topUp -> used(hour, topUp.perHour()));
        sink.node(node, lines);
    }

    private static String hourOf(NodeInterval node) {
        return "an hour of " + node.instanceType() + ' ' + node.region() + ' ' + node.zoneId();
    }

    void used(String subject, Price price) {
        prices.add(new UsedPrice(subject, price));
    }

    void assume(Assumption assumption) {
        if (assumptions.add(assumption)) {
            sink.assume(assumption);
        }
    }

    /** Records how many rows an assumption was made for, if there were any. */
    void assumeIfAny(Assumption.Kind kind, long count) {
        if (count > 0) {
            assume(Assumption.count(kind, count));
        }
    }

    void addUnpriced(Unpriced what) {
        unpriced.add(what);
    }

    /** @param usd that a free tier waived */
    void addFree(BigDecimal usd) {
        freeTier = freeTier.add(usd);
    }

    void add(BreakEven breakEven) {
        breakEvens.add(breakEven);
    }

    /** @throws Conservation.NotConserved if the amounts do not add up */
    ScenarioResult build() {
        ScenarioResult result = new ScenarioResult(
                scenario,
                total,
                split,
                List.of(),
                List.of(),
                List.copyOf(prices),
                List.copyOf(assumptions),
                unpriced,
                breakEvens,
                credit,
                freeTier,
                List.copyOf(faults));
        differences.addAll(Conservation.checkSplit(result));
        Conservation.require(differences);
        return result;
    }
}
