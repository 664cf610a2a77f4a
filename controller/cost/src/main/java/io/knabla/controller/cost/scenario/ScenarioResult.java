package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.billing.UsedPrice;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * What the usage costs under one offer.
 *
 * @param total dollars; what has no price is not in it, see {@code unpriced}
 * @param split the total by what it went to
 * @param lines the total by row, those of the nodes last; none in a report, which sums them as they are made
 * @param nodes bills of the nodes, if the offer has nodes; none in a report
 * @param breakEvens of commitments
 * @param credit dollars that EC2 waived
 * @param freeTier dollars that a free tier of the account waived; zero if the offer has none
 */
public record ScenarioResult(
        Scenario scenario,
        BigDecimal total,
        Map<CostPart, BigDecimal> split,
        List<CostLine> lines,
        List<NodeAllocation> nodes,
        List<UsedPrice> prices,
        List<Assumption> assumptions,
        List<Unpriced> unpriced,
        List<BreakEven> breakEvens,
        BigDecimal credit,
        BigDecimal freeTier,
        List<Fault> faults) {

    public ScenarioResult {
        split = Map.copyOf(split);
        lines = List.copyOf(lines);
        nodes = List.copyOf(nodes);
        prices = List.copyOf(prices);
        assumptions = List.copyOf(assumptions);
        unpriced = List.copyOf(unpriced);
        breakEvens = List.copyOf(breakEvens);
        faults = List.copyOf(faults);
    }

    /** Hands its lines and nodes on, as they were made. */
    public void feed(CostSink sink) {
        assumptions.forEach(sink::assume);
        nodes.forEach(node -> sink.node(node, node.lines()));
        int ofNodes = nodes.stream().mapToInt(node -> node.lines().size()).sum();
        lines.subList(0, lines.size() - ofNodes).forEach(sink::line);
    }

    ScenarioResult with(List<CostLine> allLines, List<NodeAllocation> allNodes) {
        return new ScenarioResult(
                scenario,
                total,
                split,
                allLines,
                allNodes,
                prices,
                assumptions,
                unpriced,
                breakEvens,
                credit,
                freeTier,
                faults);
    }

    /** Dollars that went to one part; zero if there are none. */
    public BigDecimal of(CostPart part) {
        return split.getOrDefault(part, BigDecimal.ZERO);
    }

    /**
     * When a commitment pays.
     *
     * @param instances that are committed
     * @param utilisation share of the committed time in which nodes ran
     * @param breakEven share above which the commitment costs less than on demand
     */
    public record BreakEven(
            ScenarioOptions.InstanceKind kind, int instances, BigDecimal utilisation, BigDecimal breakEven) {}
}
