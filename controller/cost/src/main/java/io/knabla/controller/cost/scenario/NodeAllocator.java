package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.Charge;
import io.knabla.controller.cost.billing.Dollars;
import io.knabla.controller.cost.billing.NodeBill;
import io.knabla.controller.cost.scenario.NodeAllocation.ReplicaCost;
import io.knabla.controller.cost.usage.Interval;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Divides a node's bill among the replicas that it ran. Between two moments at which a price, a replica, or what a
 * replica does changes, each replica has its share of the price of that time, and what no replica has is idle.
 */
final class NodeAllocator {
    private final NodeBill bill;
    private final List<ReplicaTime> replicas;
    private final Map<String, Map<CostPart, BigDecimal>> weights = new LinkedHashMap<>();
    private final List<Fault> faults = new ArrayList<>();
    private final NodeShares.Weights size;
    private BigDecimal idle = BigDecimal.ZERO;

    private NodeAllocator(NodeBill bill, List<ReplicaTime> replicas) {
        this.bill = bill;
        this.size = NodeShares.Weights.of(bill.node().size());
        this.replicas = replicas.stream()
                .sorted(Comparator.comparing(ReplicaTime::start)
                        .thenComparing(time -> time.row().id()))
                .toList();
    }

    /** An allocation, and what was wrong with its rows. */
    record Result(NodeAllocation allocation, List<Fault> faults) {}

    /** @param replicas those on this node */
    static Result allocate(NodeBill bill, List<ReplicaTime> replicas) {
        return new NodeAllocator(bill, replicas).run();
    }

    private Result run() {
        replicas.forEach(replica -> weights.put(replica.row().id(), new EnumMap<>(CostPart.class)));
        List<ReplicaTime> active = new ArrayList<>();
        Iterator<ReplicaTime> coming = replicas.iterator();
        ReplicaTime next = coming.hasNext() ? coming.next() : null;
        NavigableSet<Instant> changes = changes();
        for (Charge charge : bill.charges()) {
            Instant end = charge.time().end().orElseThrow();
            for (Instant from = charge.time().start(); from.isBefore(end); ) {
                Instant change = changes.higher(from);
                Instant until = change == null || change.isAfter(end) ? end : change;
                while (next != null && !next.start().isAfter(from)) {
                    active.add(next);
                    next = coming.hasNext() ? coming.next() : null;
                }
                Instant now = from;
                active.removeIf(replica -> !replica.end().isAfter(now));
                share(Interval.of(from, until), charge, active);
                from = until;
            }
        }
        return new Result(divided(), List.copyOf(faults));
    }

    private NavigableSet<Instant> changes() {
        NavigableSet<Instant> changes = new TreeSet<>();
        for (ReplicaTime replica : replicas) {
            changes.addAll(List.of(replica.start(), replica.ready(), replica.end()));
            replica.doubled().ifPresent(time -> {
                changes.add(time.start());
                changes.add(time.end().orElseThrow());
            });
        }
        return changes;
    }

    private void share(Interval time, Charge charge, List<ReplicaTime> active) {
        BigDecimal seconds =
                Dollars.seconds(Duration.between(time.start(), time.end().orElseThrow()));
        BigDecimal cost = seconds.multiply(charge.perHour().usd());
        NodeShares shares = new NodeShares(size, active);
        BigDecimal left = BigDecimal.ONE;
        for (ReplicaTime replica : active) {
            BigDecimal share = shares.of(replica).min(left);
            left = left.subtract(share);
            replica.addTo(weights.get(replica.row().id()), time.start(), cost.multiply(share, Dollars.PRECISE));
        }
        idle = idle.add(cost.multiply(left, Dollars.PRECISE), Dollars.PRECISE);
        markBeyondSize(shares, active, time);
    }

    private void markBeyondSize(NodeShares shares, List<ReplicaTime> active, Interval time) {
        if (faults.isEmpty() && shares.beyondSize()) {
            List<String> ids =
                    active.stream().map(replica -> replica.row().id()).toList();
            faults.add(new Fault(
                    Fault.Kind.BEYOND_NODE_SIZE,
                    bill.node().id(),
                    "first at %s, its replicas %s hold more than %s"
                            .formatted(time.start(), ids, bill.node().size())));
        }
    }

    private NodeAllocation divided() {
        List<BigDecimal> all = Stream.concat(
                        weights.values().stream().flatMap(parts -> parts.values().stream()),
                        Stream.of(idle, bill.overheadDollarSeconds()))
                .toList();
        Iterator<BigDecimal> amounts = Dollars.split(bill.total(), all).iterator();
        List<ReplicaCost> costs = new ArrayList<>();
        for (ReplicaTime replica : replicas) {
            Map<CostPart, BigDecimal> parts = new EnumMap<>(CostPart.class);
            weights.get(replica.row().id()).keySet().forEach(part -> parts.put(part, amounts.next()));
            costs.add(new ReplicaCost(replica.row(), parts));
        }
        return new NodeAllocation(bill, costs, amounts.next(), amounts.next());
    }
}
