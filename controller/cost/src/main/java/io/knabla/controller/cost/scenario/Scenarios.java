package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Ec2Billing;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.Period;
import io.knabla.controller.price.PriceBook;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.NodeInterval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Gatherers;

/** Prices identical usage rows under every offer. Each result is checked to add up. */
public final class Scenarios {
    private static final int MAX_CONCURRENT = Runtime.getRuntime().availableProcessors();

    private final ScenarioInput input;

    /** @param usage rows that were checked for this period */
    public Scenarios(CheckedUsage usage, Period period, PriceBook book, ScenarioOptions options) {
        this.input = ScenarioInput.of(usage, period, book, options);
    }

    /**
     * All scenarios, in the order of {@link Scenario}.
     *
     * @throws Conservation.NotConserved if a result does not add up
     */
    public static List<ScenarioResult> all(UsageRows rows, Period period, PriceBook book, ScenarioOptions options) {
        Scenarios scenarios = new Scenarios(CheckedUsage.of(rows, period), period, book, options);
        return Arrays.stream(Scenario.values()).map(scenarios::withLines).toList();
    }

    /** @throws Conservation.NotConserved if the result does not add up */
    public static ScenarioResult one(
            Scenario scenario, UsageRows rows, Period period, PriceBook book, ScenarioOptions options) {
        return new Scenarios(CheckedUsage.of(rows, period), period, book, options).withLines(scenario);
    }

    /**
     * Returns a result with its lines and nodes, for what needs each row.
     *
     * @throws Conservation.NotConserved if the result does not add up
     */
    public ScenarioResult withLines(Scenario scenario) {
        List<CostLine> lines = new ArrayList<>();
        List<NodeAllocation> nodes = new ArrayList<>();
        ScenarioResult result = price(scenario, new CostSink() {
            @Override
            public void assume(Assumption assumption) {
                // The result has them all.
            }

            @Override
            public void node(NodeAllocation node, List<CostLine> itsLines) {
                nodes.add(node);
            }

            @Override
            public void line(CostLine line) {
                lines.add(line);
            }
        });
        nodes.forEach(node -> lines.addAll(node.lines()));
        return Conservation.require(result.with(lines, nodes));
    }

    /**
     * Hands the amounts of a scenario to {@code sink}, and returns the result without lines and nodes.
     *
     * @throws Conservation.NotConserved if the amounts do not add up
     */
    public ScenarioResult price(Scenario scenario, CostSink sink) {
        ScenarioResultBuilder builder =
                new ScenarioResultBuilder(scenario, input.rows().faults(), sink);
        switch (scenario) {
            case AS_IT_RAN -> addAsItRan(input, builder);
            case ALL_ON_DEMAND -> addOnDemand(input, builder);
            case ALL_SPOT -> addSpot(input, builder);
            case PER_USE -> new PerUse(input, builder).add();
            case FARGATE -> new FargateTasks(input, builder).addOnDemand();
            case FARGATE_SPOT -> new FargateTasks(input, builder).addSpot();
            case COMMITTED_1Y -> new CommittedPricing(input, builder, PriceBook.Commitment.ONE_YEAR).add();
            case COMMITTED_3Y -> new CommittedPricing(input, builder, PriceBook.Commitment.THREE_YEARS).add();
            case ALWAYS_WARM -> {
                addAsItRan(input, builder);
                new KeptWarm(input, builder).add();
            }
        }
        return builder.build();
    }

    private static void addAsItRan(ScenarioInput input, ScenarioResultBuilder builder) {
        addNodes(input, builder, node -> Ec2Billing.asBought(node, input.period(), input.book()));
    }

    private static void addOnDemand(ScenarioInput input, ScenarioResultBuilder builder) {
        assumeSameTime(input, builder, CapacityType.SPOT);
        addNodes(input, builder, node -> Ec2Billing.onDemand(node, input.period(), input.book()));
    }

    /** Nodes that ran on spot had their interruptions; only the others get the share that interruptions add. */
    private static void addSpot(ScenarioInput input, ScenarioResultBuilder builder) {
        assumeSameTime(input, builder, CapacityType.ON_DEMAND);
        InterruptionShare share = InterruptionShare.of(input);
        builder.assume(share.assumption());
        addNodes(input, builder, node -> {
            NodeBill bill = Ec2Billing.spot(node, input.period(), input.book());
            return switch (node.capacity()) {
                case SPOT -> bill;
                case ON_DEMAND -> bill.withInterruptions(share.fraction());
            };
        });
    }

    private static void addNodes(
            ScenarioInput input, ScenarioResultBuilder builder, Function<NodeInterval, NodeBill> bills) {
        addUseAssumption(input, builder);
        // Nodes are divided at once and added in their order; prices do not change while they are asked for.
        input.nodes().stream()
                .gather(Gatherers.mapConcurrent(MAX_CONCURRENT, node -> input.allocated(bills.apply(node))))
                .forEach(builder::add);
    }

    static void addUseAssumption(ScenarioInput input, ScenarioResultBuilder builder) {
        builder.assumeIfAny(
                Assumption.Kind.USE_NOT_MEASURED,
                input.replicas().stream()
                        .filter(replica -> !ReplicaTime.measured(replica))
                        .count());
    }

    static void assumeSameTime(ScenarioInput input, ScenarioResultBuilder builder, CapacityType other) {
        builder.assumeIfAny(
                Assumption.Kind.SAME_TIME_UNDER_OTHER_OFFER,
                input.nodes().stream().filter(node -> node.capacity() == other).count());
    }
}
