package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Charge;
import io.knabla.controller.billing.CommitmentBilling;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Ec2Billing;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.TopUp;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.cost.scenario.CommitmentSweep.Part;
import io.knabla.controller.cost.scenario.CommitmentSweep.Spell;
import io.knabla.controller.cost.scenario.ScenarioOptions.InstanceKind;
import io.knabla.controller.cost.scenario.ScenarioResult.BreakEven;
import io.knabla.controller.price.Price;
import io.knabla.controller.price.PriceBook.Commitment;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prices instances under a commitment. At each moment the nodes that have run longest have the committed instances, and
 * the others are on demand. Committed time that no node has is owed as well.
 */
final class CommittedPricing {
    private final ScenarioInput input;
    private final ScenarioResultBuilder builder;
    private final Commitment commitment;

    CommittedPricing(ScenarioInput input, ScenarioResultBuilder builder, Commitment commitment) {
        this.input = input;
        this.builder = builder;
        this.commitment = commitment;
    }

    void add() {
        Scenarios.addUseAssumption(input, builder);
        Scenarios.assumeSameTime(input, builder, CapacityType.SPOT);
        Map<InstanceKind, List<NodeInterval>> kinds = input.nodes().stream()
                .sorted(CommitmentSweep.LONGEST)
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
            nodes.forEach(node -> builder.add(input.allocated(withoutPrice(node))));
            if (nodes.isEmpty()) {
                builder.addUnpriced(new Unpriced(Unpriced.Reason.NO_COMMITTED_PRICE, "", kind.toString(), time));
            }
            return;
        }
        List<Part> parts = nodes.stream().flatMap(node -> part(node).stream()).toList();
        int instances = instances(kind, parts);
        builder.used("an hour of %s, committed %s".formatted(kind, commitment), price.get());
        Map<String, List<Spell>> spells = CommitmentSweep.spells(parts, instances);
        nodes.forEach(node ->
                builder.add(input.allocated(bill(node, spells.getOrDefault(node.id(), List.of()), price.get()))));
        addUnused(kind, owedTime(parts, time), used(spells), instances, price.get());
    }

    private Optional<Part> part(NodeInterval node) {
        return input.period().part(node.time()).map(time -> new Part(node, time));
    }

    private int instances(InstanceKind kind, List<Part> parts) {
        Optional<Integer> stated =
                Optional.ofNullable(input.options().committed().get(kind));
        int instances = stated.orElseGet(() -> CommitmentSweep.peak(parts));
        Assumption.Kind how = stated.isPresent() ? Assumption.Kind.COMMITTED_STATED : Assumption.Kind.COMMITTED_PEAK;
        builder.assume(new Assumption(how, kind.toString(), BigDecimal.valueOf(instances)));
        return instances;
    }

    private NodeBill bill(NodeInterval node, List<Spell> spells, Price committed) {
        List<Charge> charges = spells.stream()
                .flatMap(spell -> charges(node, spell, committed))
                .toList();
        boolean endsCommitted = !spells.isEmpty() && spells.getLast().committed();
        Optional<TopUp> topUp = endsCommitted
                ? Optional.empty()
                : Ec2Billing.topUp(node, input.period(), time -> Ec2Billing.onDemandCharges(node, time, input.book()));
        return bill(node, charges, topUp, Unpriced.Reason.NO_ON_DEMAND_PRICE);
    }

    private Stream<Charge> charges(NodeInterval node, Spell spell, Price committed) {
        return spell.committed()
                ? Stream.of(new Charge(spell.time(), committed))
                : Ec2Billing.onDemandCharges(node, spell.time(), input.book()).stream();
    }

    private NodeBill withoutPrice(NodeInterval node) {
        return bill(node, List.of(), Optional.empty(), Unpriced.Reason.NO_COMMITTED_PRICE);
    }

    private NodeBill bill(NodeInterval node, List<Charge> charges, Optional<TopUp> topUp, Unpriced.Reason reason) {
        List<Unpriced> unpriced = Ec2Billing.unpriced(node, input.period(), charges, topUp, reason);
        return new NodeBill(node, charges, topUp, BigDecimal.ZERO, false, unpriced);
    }

    private static BigDecimal used(Map<String, List<Spell>> spells) {
        return spells.values().stream()
                .flatMap(List::stream)
                .filter(Spell::committed)
                .map(spell -> Dollars.seconds(Duration.between(
                        spell.time().start(), spell.time().end().orElseThrow())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** A node may be recorded to end after the usage was read; what it had until then is owed as well. */
    private static Interval owedTime(List<Part> parts, Interval time) {
        Instant end = Stream.concat(Stream.of(time), parts.stream().map(Part::time))
                .map(one -> one.end().orElseThrow())
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return Interval.of(time.start(), end);
    }

    private void addUnused(InstanceKind kind, Interval time, BigDecimal used, int instances, Price price) {
        BigDecimal unused = CommitmentBilling.unused(price, instances, time, used);
        builder.add(CostLine.ofNode(kind.toString(), CostPart.UNUSED_COMMITMENT, unused));
        BigDecimal owed = CommitmentBilling.owedSeconds(instances, time);
        BigDecimal utilisation = owed.signum() == 0 ? BigDecimal.ZERO : used.divide(owed, 6, RoundingMode.HALF_UP);
        input.book()
                .onDemand(kind.instanceType(), kind.region(), time.start())
                .flatMap(onDemand -> CommitmentBilling.breakEven(price, onDemand))
                .ifPresent(share -> builder.add(new BreakEven(kind, instances, utilisation, share)));
    }
}
