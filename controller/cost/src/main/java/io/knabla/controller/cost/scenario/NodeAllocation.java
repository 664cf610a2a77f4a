package io.knabla.controller.cost.scenario;

import io.knabla.controller.billing.NodeBill;
import io.knabla.controller.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
            parts = parts.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(parts));
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
        List<CostLine> lines = new ArrayList<>();
        for (ReplicaCost cost : replicas) {
            cost.parts().forEach((part, usd) -> lines.add(CostLine.ofReplica(cost.replica(), part, usd)));
        }
        String node = bill.node().id();
        lines.add(CostLine.ofNode(node, CostPart.NODE_IDLE, idle));
        lines.add(CostLine.ofNode(node, CostPart.OVERHEAD, overhead));
        return lines;
    }
}
