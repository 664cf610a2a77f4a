package io.knabla.controller.cost.scenario;

import io.knabla.controller.usage.ReplicaInterval;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * One amount of a scenario.
 *
 * @param function whose it is; empty if it is nobody's
 * @param row id of the replica's or node's row, or what else it is for
 */
public record CostLine(Optional<FunctionVersion> function, String row, CostPart part, BigDecimal usd) {
    static CostLine ofReplica(ReplicaInterval replica, CostPart part, BigDecimal usd) {
        return new CostLine(Optional.of(FunctionVersion.of(replica)), replica.id(), part, usd);
    }

    static CostLine ofNode(String node, CostPart part, BigDecimal usd) {
        return new CostLine(Optional.empty(), node, part, usd);
    }
}
