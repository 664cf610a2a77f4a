package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Ec2Billing;
import io.knabla.controller.cost.billing.NodeBill;
import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.price.PriceBook;
import io.knabla.controller.cost.usage.CapacityType;
import io.knabla.controller.cost.usage.NodeInterval;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Prices identical usage rows under every offer. Each result is checked to add up. */
public final class Scenarios {
    private Scenarios() {}

    /**
     * All scenarios, in the order of {@link Scenario}.
     *
     * @throws Conservation.NotConserved if a result does not add up
     */
    public static List<ScenarioResult> all(UsageRows rows, Period period, PriceBook book, ScenarioOptions options) {
        ScenarioInput input = ScenarioInput.of(rows, period, book, options);
        return Arrays.stream(Scenario.values())
                .map(scenario -> priced(scenario, input))
                .toList();
    }

    /** @throws Conservation.NotConserved if the result does not add up */
    public static ScenarioResult one(
            Scenario scenario, UsageRows rows, Period period, PriceBook book, ScenarioOptions options) {
        return priced(scenario, ScenarioInput.of(rows, period, book, options));
    }

    private static ScenarioResult priced(Scenario scenario, ScenarioInput input) {
        Outcome outcome = new Outcome(scenario, input.rows().faults());
        switch (scenario) {
            case AS_IT_RAN -> addAsItRan(input, outcome);
            case ALL_ON_DEMAND -> addOnDemand(input, outcome);
            case ALL_SPOT -> addSpot(input, outcome);
            case PER_USE -> new PerUse(input, outcome).add();
            case FARGATE -> new FargateTasks(input, outcome).addOnDemand();
            case FARGATE_SPOT -> new FargateTasks(input, outcome).addSpot();
            case COMMITTED_1Y -> new CommittedPricing(input, outcome, PriceBook.Commitment.ONE_YEAR).add();
            case COMMITTED_3Y -> new CommittedPricing(input, outcome, PriceBook.Commitment.THREE_YEARS).add();
            case ALWAYS_WARM -> {
                addAsItRan(input, outcome);
                new KeptWarm(input, outcome).add();
            }
        }
        return Conservation.require(outcome.result());
    }

    private static void addAsItRan(ScenarioInput input, Outcome outcome) {
        addNodes(input, outcome, node -> Ec2Billing.asBought(node, input.period(), input.book()));
    }

    private static void addOnDemand(ScenarioInput input, Outcome outcome) {
        assumeSameTime(input, outcome, CapacityType.SPOT);
        addNodes(input, outcome, node -> Ec2Billing.onDemand(node, input.period(), input.book()));
    }

    /** Nodes that ran on spot had their interruptions; only the others get the share that interruptions add. */
    private static void addSpot(ScenarioInput input, Outcome outcome) {
        assumeSameTime(input, outcome, CapacityType.ON_DEMAND);
        InterruptionShare share = InterruptionShare.of(input);
        outcome.assume(share.assumption());
        addNodes(input, outcome, node -> {
            NodeBill bill = Ec2Billing.spot(node, input.period(), input.book());
            return switch (node.capacity()) {
                case SPOT -> bill;
                case ON_DEMAND -> bill.withInterruptions(share.fraction());
            };
        });
    }

    private static void addNodes(ScenarioInput input, Outcome outcome, Function<NodeInterval, NodeBill> bills) {
        addUseAssumption(input, outcome);
        input.nodes().forEach(node -> outcome.add(input.allocated(bills.apply(node))));
    }

    static void addUseAssumption(ScenarioInput input, Outcome outcome) {
        outcome.assumeIfAny(
                Assumption.Kind.USE_NOT_MEASURED,
                input.replicas().stream()
                        .filter(replica -> !ReplicaTime.measured(replica))
                        .count());
    }

    static void assumeSameTime(ScenarioInput input, Outcome outcome, CapacityType other) {
        outcome.assumeIfAny(
                Assumption.Kind.SAME_TIME_UNDER_OTHER_OFFER,
                input.nodes().stream().filter(node -> node.capacity() == other).count());
    }
}
