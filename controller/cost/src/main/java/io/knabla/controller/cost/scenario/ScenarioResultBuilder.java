package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.NodeBill;
import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.billing.UsedPrice;
import io.knabla.controller.cost.price.Price;
import io.knabla.controller.cost.scenario.ScenarioResult.BreakEven;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the cost lines of a scenario, with prices, assumptions and faults, and builds its result. */
final class ScenarioResultBuilder {
    private final Scenario scenario;
    private final List<CostLine> lines = new ArrayList<>();
    private final List<NodeAllocation> nodes = new ArrayList<>();
    private final Set<UsedPrice> prices = new LinkedHashSet<>();
    private final Set<Assumption> assumptions = new LinkedHashSet<>();
    private final List<Unpriced> unpriced = new ArrayList<>();
    private final List<BreakEven> breakEvens = new ArrayList<>();
    private final Set<Fault> faults = new LinkedHashSet<>();
    private BigDecimal credit = Dollars.ZERO;

    ScenarioResultBuilder(Scenario scenario, List<Fault> faults) {
        this.scenario = scenario;
        this.faults.addAll(faults);
    }

    void add(CostLine line) {
        lines.add(line);
    }

    void add(NodeAllocator.Result node) {
        NodeBill bill = node.allocation().bill();
        nodes.add(node.allocation());
        unpriced.addAll(bill.unpriced());
        faults.addAll(node.faults());
        credit = credit.add(bill.credit());
        bill.charges().forEach(charge -> used(hourOf(bill), charge.perHour()));
        bill.topUp().ifPresent(topUp -> used(hourOf(bill), topUp.perHour()));
    }

    private static String hourOf(NodeBill bill) {
        return "an hour of %s %s %s"
                .formatted(
                        bill.node().instanceType(),
                        bill.node().region(),
                        bill.node().zoneId());
    }

    void used(String subject, Price price) {
        prices.add(new UsedPrice(subject, price));
    }

    void assume(Assumption assumption) {
        assumptions.add(assumption);
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

    void add(BreakEven breakEven) {
        breakEvens.add(breakEven);
    }

    ScenarioResult build() {
        List<CostLine> all = new ArrayList<>(lines);
        nodes.forEach(node -> all.addAll(node.lines()));
        Map<CostPart, BigDecimal> split = new EnumMap<>(CostPart.class);
        all.forEach(line -> split.merge(line.part(), line.usd(), BigDecimal::add));
        return new ScenarioResult(
                scenario,
                total(),
                split,
                all,
                nodes,
                List.copyOf(prices),
                List.copyOf(assumptions),
                unpriced,
                breakEvens,
                credit,
                List.copyOf(faults));
    }

    // Nodes are summed by their bills and not by their lines: a bill that is divided wrongly then shows.
    private BigDecimal total() {
        BigDecimal bills = nodes.stream().map(node -> node.bill().total()).reduce(Dollars.ZERO, BigDecimal::add);
        return lines.stream().map(CostLine::usd).reduce(bills, BigDecimal::add);
    }
}
