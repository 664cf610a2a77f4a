package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Charge;
import io.knabla.controller.cost.billing.CommitmentBilling;
import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.Ec2Billing;
import io.knabla.controller.cost.billing.NodeBill;
import io.knabla.controller.cost.billing.TopUp;
import io.knabla.controller.cost.billing.Unpriced;
import io.knabla.controller.cost.price.Price;
import io.knabla.controller.cost.price.PriceBook.Commitment;
import io.knabla.controller.cost.scenario.ScenarioOptions.InstanceKind;
import io.knabla.controller.cost.scenario.ScenarioResult.BreakEven;
import io.knabla.controller.cost.usage.CapacityType;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeInterval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Prices instances under a commitment. At each moment the nodes that have run longest have the committed instances, and
 * the others are on demand. Committed time that no node has is owed as well.
 */
final class Committed {
    private static final Comparator<NodeInterval> LONGEST =
            Comparator.comparing((NodeInterval node) -> node.time().start()).thenComparing(NodeInterval::id);

    private final ScenarioInput input;
    private final Outcome outcome;
    private final Commitment commitment;

    Committed(ScenarioInput input, Outcome outcome, Commitment commitment) {
        this.input = input;
        this.outcome = outcome;
        this.commitment = commitment;
    }

    void add() {
        Scenarios.addUseAssumption(input, outcome);
        Scenarios.assumeSameTime(input, outcome, CapacityType.SPOT);
        Map<InstanceKind, List<NodeInterval>> kinds = input.nodes().stream()
                .sorted(LONGEST)
                .collect(Collectors.groupingBy(
                        node -> new InstanceKind(node.instanceType(), node.region()),
                        TreeMap::new,
                        Collectors.toList()));
        input.options().committed().keySet().forEach(kind -> kinds.computeIfAbsent(kind, k -> List.of()));
        input.period().over().ifPresent(time -> kinds.forEach((kind, nodes) -> addKind(kind, nodes, time)));
    }

    private void addKind(InstanceKind kind, List<NodeInterval> nodes, Interval time) {
        Optional<Price> price = input.book().committed(kind.instanceType(), kind.region(), commitment, time.start());
        if (price.isEmpty()) {
            nodes.forEach(node -> outcome.add(input.allocated(withoutPrice(node))));
            if (nodes.isEmpty()) {
                outcome.without(new Unpriced(Unpriced.Reason.NO_COMMITTED_PRICE, "", kind.toString(), time));
            }
            return;
        }
        List<Slice> slices = slices(nodes, time);
        int instances = instances(kind, slices);
        outcome.used("an hour of %s, committed %s".formatted(kind, commitment), price.get());
        Map<String, List<Charge>> charges = charges(nodes, slices, instances, price.get());
        nodes.forEach(node -> outcome.add(input.allocated(bill(node, charges.get(node.id()), price.get()))));
        addUnused(kind, slices, instances, price.get());
    }

    /** Time in which the same nodes ran. */
    private record Slice(Interval time, List<NodeInterval> running) {
        BigDecimal seconds() {
            return Dollars.seconds(Duration.between(time.start(), time.end().orElseThrow()));
        }
    }

    private List<Slice> slices(List<NodeInterval> nodes, Interval time) {
        TreeSet<Instant> changes =
                new TreeSet<>(List.of(time.start(), time.end().orElseThrow()));
        for (NodeInterval node : nodes) {
            input.period().part(node.time()).ifPresent(part -> {
                changes.add(part.start());
                changes.add(part.end().orElseThrow());
            });
        }
        List<Slice> slices = new ArrayList<>();
        for (Instant from = changes.first(); changes.higher(from) != null; from = changes.higher(from)) {
            Interval slice = Interval.of(from, changes.higher(from));
            slices.add(new Slice(
                    slice, nodes.stream().filter(node -> runsIn(node, slice)).toList()));
        }
        return slices;
    }

    private boolean runsIn(NodeInterval node, Interval slice) {
        return input.period()
                .settled(node.time())
                .within(slice.start(), slice.end().orElseThrow())
                .isPresent();
    }

    private int instances(InstanceKind kind, List<Slice> slices) {
        Optional<Integer> stated =
                Optional.ofNullable(input.options().committed().get(kind));
        int instances = stated.orElseGet(() ->
                slices.stream().mapToInt(slice -> slice.running().size()).max().orElse(0));
        Assumption.Kind how = stated.isPresent() ? Assumption.Kind.COMMITTED_STATED : Assumption.Kind.COMMITTED_PEAK;
        outcome.assume(new Assumption(how, kind.toString(), BigDecimal.valueOf(instances)));
        return instances;
    }

    private Map<String, List<Charge>> charges(
            List<NodeInterval> nodes, List<Slice> slices, int instances, Price committed) {
        Map<String, List<Charge>> charges = new LinkedHashMap<>();
        nodes.forEach(node -> charges.put(node.id(), new ArrayList<>()));
        for (Slice slice : slices) {
            for (int i = 0; i < slice.running().size(); i++) {
                NodeInterval node = slice.running().get(i);
                charges.get(node.id())
                        .addAll(
                                i < instances
                                        ? List.of(new Charge(slice.time(), committed))
                                        : Ec2Billing.onDemandCharges(node, slice.time(), input.book()));
            }
        }
        return charges;
    }

    private NodeBill bill(NodeInterval node, List<Charge> charges, Price committed) {
        List<Unpriced> gaps = input.period()
                .part(node.time())
                .map(time -> Ec2Billing.gaps(node, time, charges, Unpriced.Reason.NO_ON_DEMAND_PRICE))
                .orElse(List.of());
        boolean endsCommitted =
                !charges.isEmpty() && charges.getLast().perHour().equals(committed);
        Optional<TopUp> topUp = endsCommitted
                ? Optional.empty()
                : Ec2Billing.topUp(node, input.period(), time -> Ec2Billing.onDemandCharges(node, time, input.book()));
        return new NodeBill(node, charges, topUp, BigDecimal.ZERO, false, gaps);
    }

    private NodeBill withoutPrice(NodeInterval node) {
        List<Unpriced> all = input.period()
                .part(node.time())
                .map(time -> Ec2Billing.gaps(node, time, List.of(), Unpriced.Reason.NO_COMMITTED_PRICE))
                .orElse(List.of());
        return new NodeBill(node, List.of(), Optional.empty(), BigDecimal.ZERO, false, all);
    }

    private void addUnused(InstanceKind kind, List<Slice> slices, int instances, Price price) {
        Interval time = Interval.of(
                slices.getFirst().time().start(), slices.getLast().time().end().orElseThrow());
        BigDecimal used = slices.stream()
                .map(slice -> slice.seconds()
                        .multiply(BigDecimal.valueOf(
                                Math.min(instances, slice.running().size()))))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal unused = CommitmentBilling.unused(price, instances, time, used);
        outcome.add(CostLine.ofNode(kind.toString(), CostPart.UNUSED_COMMITMENT, unused));
        BigDecimal owed = CommitmentBilling.owedSeconds(instances, time);
        BigDecimal utilisation = owed.signum() == 0 ? BigDecimal.ZERO : used.divide(owed, 6, RoundingMode.HALF_UP);
        input.book()
                .onDemand(kind.instanceType(), kind.region(), time.start())
                .flatMap(onDemand -> CommitmentBilling.breakEven(price, onDemand))
                .ifPresent(share -> outcome.add(new BreakEven(kind, instances, utilisation, share)));
    }
}
