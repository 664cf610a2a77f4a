package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.Charge;
import io.knabla.controller.billing.Dollars;
import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.cost.scenario.NodeAllocation.ReplicaCost;
import io.knabla.controller.usage.Interval;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Divides a node's bill among the replicas that it ran. A replica has the same share of the node for all of its life,
 * except while replicas hold more than there is, see {@link Overcommit}. What no replica has is idle.
 */
final class NodeAllocator {
    private final NodeBill bill;
    private final ChargeSums cost;
    private final NodeShares.Weights size;
    private final List<ReplicaTime> replicas;
    private final NavigableMap<Instant, Overcommit> crowdings = new TreeMap<>();

    private NodeAllocator(NodeBill bill, List<ReplicaTime> replicas) {
        this.bill = bill;
        this.cost = new ChargeSums(bill.charges());
        this.size = NodeShares.Weights.of(bill.node().size());
        this.replicas = replicas.stream()
                .sorted(Comparator.comparing(ReplicaTime::start)
                        .thenComparing(time -> time.row().id()))
                .toList();
        Overcommit.of(size, this.replicas)
                .forEach(crowding -> crowdings.put(crowding.time().start(), crowding));
    }

    /** An allocation, and what was wrong with its rows. */
    record Result(NodeAllocation allocation, List<Fault> faults) {}

    /** @param replicas those on this node */
    static Result allocate(NodeBill bill, List<ReplicaTime> replicas) {
        NodeAllocator allocator = new NodeAllocator(bill, replicas);
        return new Result(
                allocator.divided(),
                allocator.crowdings.values().stream()
                        .flatMap(allocator::fault)
                        .limit(1)
                        .toList());
    }

    private NodeAllocation divided() {
        List<BigDecimal> all = new ArrayList<>();
        List<Map<CostPart, BigDecimal>> parts =
                replicas.stream().map(this::weights).toList();
        parts.forEach(weights -> all.addAll(weights.values()));
        BigDecimal held = all.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        all.add(cost.whole().subtract(held).max(BigDecimal.ZERO));
        all.add(bill.overheadDollarSeconds());
        Iterator<BigDecimal> amounts = Dollars.split(bill.total(), all).iterator();
        List<ReplicaCost> costs = new ArrayList<>();
        for (int i = 0; i < replicas.size(); i++) {
            parts.get(i).replaceAll((part, weight) -> amounts.next());
            costs.add(new ReplicaCost(replicas.get(i).row(), parts.get(i)));
        }
        return new NodeAllocation(bill, costs, amounts.next(), amounts.next());
    }

    /** Dollar-seconds of a replica, summed over the times in which neither its share nor what it does changes. */
    private Map<CostPart, BigDecimal> weights(ReplicaTime replica) {
        Map<CostPart, BigDecimal> weights = new EnumMap<>(CostPart.class);
        BigDecimal uncrowded = new NodeShares(size, replica.held()).of(replica);
        List<Instant> changes = changes(replica);
        for (int i = 1; i < changes.size(); i++) {
            Instant from = changes.get(i - 1);
            if (from.isBefore(changes.get(i))) {
                BigDecimal share = crowding(from)
                        .map(crowding -> crowding.shares().of(replica))
                        .orElse(uncrowded);
                replica.addTo(weights, from, cost.between(from, changes.get(i)).multiply(share));
            }
        }
        return weights;
    }

    private List<Instant> changes(ReplicaTime replica) {
        List<Instant> changes = new ArrayList<>(List.of(replica.start(), replica.ready(), replica.end()));
        if (replica.doubled().isPresent() || !crowdings.isEmpty()) {
            Stream.concat(replica.doubled().stream(), during(replica).map(Overcommit::time))
                    .flatMap(time -> Stream.of(time.start(), time.end().orElseThrow()))
                    .filter(time -> time.isAfter(replica.start()) && time.isBefore(replica.end()))
                    .forEach(changes::add);
            changes.sort(Comparator.naturalOrder());
        }
        return changes;
    }

    private Stream<Overcommit> during(ReplicaTime replica) {
        Instant first = Optional.ofNullable(crowdings.floorKey(replica.start())).orElse(replica.start());
        return crowdings.tailMap(first, true).headMap(replica.end(), false).values().stream();
    }

    private Optional<Overcommit> crowding(Instant time) {
        return Optional.ofNullable(crowdings.floorEntry(time))
                .map(Map.Entry::getValue)
                .filter(crowding -> crowding.time().contains(time));
    }

    private Stream<Fault> fault(Overcommit crowding) {
        return bill.charges().stream()
                .map(Charge::time)
                .flatMap(paid -> paid
                        .within(crowding.time().start(), crowding.time().end().orElseThrow())
                        .stream())
                .limit(1)
                .map(Interval::start)
                .map(first -> new Fault(
                        Fault.Kind.BEYOND_NODE_SIZE,
                        bill.node().id(),
                        "first at %s, its replicas %s hold more than %s"
                                .formatted(
                                        first,
                                        crowding.holders().stream()
                                                .map(replica -> replica.row().id())
                                                .toList(),
                                        bill.node().size())));
    }
}
