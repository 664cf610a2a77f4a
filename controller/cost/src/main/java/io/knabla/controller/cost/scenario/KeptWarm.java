package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.Ec2Billing;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.billing.Unpriced;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prices one replica of each function for the time in which no version of it had one, from its first replica's start,
 * or the period's begin if that is later, to the period's end. It costs what the function's latest replica would hold
 * of that replica's node, by {@link ResourceWeights}, at the price of that node's instance type, zone and capacity
 * type; idle resources of the node are not added. Cold starts that it would save are not taken off.
 */
final class KeptWarm {
    private final ScenarioInput input;
    private final ScenarioResultBuilder builder;

    KeptWarm(ScenarioInput input, ScenarioResultBuilder builder) {
        this.input = input;
        this.builder = builder;
    }

    void add() {
        Map<String, List<ReplicaInterval>> functions = input.replicas().stream()
                .collect(Collectors.groupingBy(
                        replica -> FunctionVersion.of(replica).functionName(), TreeMap::new, Collectors.toList()));
        input.period()
                .over()
                .ifPresent(time -> functions
                        .values()
                        .forEach(replicas ->
                                sinceFirst(replicas, time).ifPresent(since -> addFunction(replicas, since))));
    }

    private static Optional<Interval> sinceFirst(List<ReplicaInterval> replicas, Interval time) {
        Instant first = replicas.stream()
                .map(replica -> replica.time().start())
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return time.within(first, time.end().orElseThrow());
    }

    private void addFunction(List<ReplicaInterval> replicas, Interval time) {
        ReplicaInterval latest = replicas.stream()
                .max(Comparator.comparing((ReplicaInterval row) -> row.time().start())
                        .thenComparing(ReplicaInterval::id))
                .orElseThrow();
        List<Interval> gaps = gaps(replicas, time);
        Optional<NodeInterval> node = input.rows().nodeOf(latest);
        if (node.isEmpty()) {
            gaps.forEach(gap -> builder.addUnpriced(new Unpriced(
                    Unpriced.Reason.UNKNOWN_REGION, latest.id(), "a warm replica, node " + latest.node(), gap)));
            return;
        }
        BigDecimal usd =
                gaps.stream().map(gap -> priceOf(gap, latest, node.get())).reduce(Dollars.ZERO, BigDecimal::add);
        BigDecimal seconds = gaps.stream()
                .map(gap ->
                        Dollars.seconds(Duration.between(gap.start(), gap.end().orElseThrow())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        builder.add(CostLine.ofReplica(latest, CostPart.KEPT_WARM, usd));
        builder.assume(new Assumption(
                Assumption.Kind.KEPT_WARM_ON_SAME_NODE,
                FunctionVersion.of(latest).functionName(),
                seconds));
    }

    private List<Interval> gaps(List<ReplicaInterval> replicas, Interval time) {
        List<Interval> gaps = new ArrayList<>();
        Instant covered = time.start();
        List<Interval> parts = replicas.stream()
                .flatMap(replica -> input.period().part(replica.time()).stream())
                .sorted(Comparator.comparing(Interval::start))
                .toList();
        for (Interval part : parts) {
            if (covered.isBefore(part.start())) {
                gaps.add(Interval.of(covered, part.start()));
            }
            Instant end = part.end().orElseThrow();
            covered = covered.isBefore(end) ? end : covered;
        }
        if (covered.isBefore(time.end().orElseThrow())) {
            gaps.add(Interval.of(covered, time.end().orElseThrow()));
        }
        return gaps;
    }

    private BigDecimal priceOf(Interval gap, ReplicaInterval replica, NodeInterval node) {
        NodeBill whole = Ec2Billing.asBought(lasting(gap, node), input.period(), input.book());
        whole.unpriced().forEach(builder::addUnpriced);
        whole.charges()
                .forEach(charge -> builder.used(
                        "an hour of %s %s %s".formatted(node.instanceType(), node.region(), node.zoneId()),
                        charge.perHour()));
        ReplicaTime holder = ReplicaTime.of(
                replica, input.period(), ResourceWeights.max(replica.requested(), replica.used()), Optional.empty());
        BigDecimal share = new NodeShares(NodeShares.Weights.of(node.size()), holder.held()).of(holder);
        return Dollars.ofHourly(whole.dollarSeconds().multiply(share));
    }

    /** The node as if it ran for this time, without an end that rules of billing would apply to. */
    private static NodeInterval lasting(Interval time, NodeInterval node) {
        return node.during(time, NodeEnd.RUNNING);
    }
}
