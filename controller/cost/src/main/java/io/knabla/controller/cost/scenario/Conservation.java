package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that nothing was lost or invented: of each node, what replicas have, what is idle and what is overhead sum to
 * its bill; and of a scenario, the lines, the split and the total are one amount. To the last digit: no tolerance.
 */
public final class Conservation {
    private Conservation() {}

    /**
     * An amount that does not add up.
     *
     * @param subject id of the node, or {@code total} or {@code split} of the scenario
     * @param expected dollars of the bill
     * @param actual dollars that the parts sum to
     */
    public record Difference(Scenario scenario, String subject, BigDecimal expected, BigDecimal actual) {
        public BigDecimal usd() {
            return actual.subtract(expected);
        }

        @Override
        public String toString() {
            return "%s, %s: the parts sum to %s USD, but the bill is %s USD, a difference of %s USD"
                    .formatted(
                            scenario, subject, actual.toPlainString(), expected.toPlainString(), usd().toPlainString());
        }
    }

    /** All amounts of a scenario that do not add up, or that are negative; empty if all is well. */
    public static List<Difference> check(ScenarioResult result) {
        List<Difference> differences = new ArrayList<>();
        result.nodes().forEach(node -> differences.addAll(check(result.scenario(), node)));
        BigDecimal lines =
                Dollars.sum(result.lines().stream().map(CostLine::usd).toList());
        differences.addAll(compare(result.scenario(), "total", result.total(), lines));
        differences.addAll(checkSplit(result));
        result.lines().forEach(line -> differences.addAll(check(result.scenario(), line)));
        return differences;
    }

    static List<Difference> check(Scenario scenario, NodeAllocation node) {
        return compare(scenario, node.bill().node().id(), node.bill().total(), node.sum());
    }

    static List<Difference> check(Scenario scenario, CostLine line) {
        return line.usd().signum() >= 0
                ? List.of()
                : List.of(new Difference(
                        scenario, line.row() + " " + line.part() + " is negative", Dollars.ZERO, line.usd()));
    }

    static List<Difference> checkSplit(ScenarioResult result) {
        BigDecimal split = Dollars.sum(List.copyOf(result.split().values()));
        return compare(result.scenario(), "split", result.total(), split);
    }

    /**
     * Returns the result if it adds up.
     *
     * @throws NotConserved if it does not; a report then must not be shown
     */
    public static ScenarioResult require(ScenarioResult result) {
        require(check(result));
        return result;
    }

    static void require(List<Difference> differences) {
        if (!differences.isEmpty()) {
            throw new NotConserved(differences);
        }
    }

    private static List<Difference> compare(Scenario scenario, String subject, BigDecimal expected, BigDecimal actual) {
        return expected.compareTo(actual) == 0
                ? List.of()
                : List.of(new Difference(scenario, subject, expected, actual));
    }

    /** Amounts of a scenario do not add up. */
    public static final class NotConserved extends RuntimeException {
        private final transient List<Difference> differences;

        NotConserved(List<Difference> differences) {
            super("the costs do not add up, so no report is made of them: " + differences);
            this.differences = List.copyOf(differences);
        }

        public List<Difference> differences() {
            return differences;
        }
    }
}
