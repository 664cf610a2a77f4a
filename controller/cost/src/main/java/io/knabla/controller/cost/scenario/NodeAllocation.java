package io.knabla.controller.cost.scenario;

import io.knabla.controller.cost.billing.NodeBill;
import io.knabla.controller.cost.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A node's bill, divided. Replicas, idle and overhead sum to the bill exactly, see {@link Conservation}.
 *
 * @param idle dollars of resources that no replica held
 * @param overhead dollars of paid time in which nothing ran
 */
public record NodeAllocation(NodeBill bill, List<ReplicaCost> replicas, BigDecimal idle, BigDecimal overhead) {
    public NodeAllocation {
        replicas = List.copyOf(replicas);
    }

    /** Dollars of one replica by what they went to. */
    public record ReplicaCost(ReplicaInterval replica, Map<CostPart, BigDecimal> parts) {
        public ReplicaCost {
            parts = Map.copyOf(parts);
        }
    }

    /** Sum of all parts. */
    public BigDecimal sum() {
        BigDecimal sum = idle.add(overhead);
        for (ReplicaCost cost : replicas) {
            for (BigDecimal usd : cost.parts().values()) {
                sum = sum.add(usd);
            }
        }
        return sum;
    }

    /** All parts as lines. */
    public List<CostLine> lines() {
        String node = bill.node().id();
        return Stream.concat(
                        replicas.stream().flatMap(NodeAllocation::lines),
                        Stream.of(
                                CostLine.ofNode(node, CostPart.NODE_IDLE, idle),
                                CostLine.ofNode(node, CostPart.OVERHEAD, overhead)))
                .toList();
    }

    private static Stream<CostLine> lines(ReplicaCost cost) {
        return cost.parts().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(part -> CostLine.ofReplica(cost.replica(), part.getKey(), part.getValue()));
    }
}
