package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.util.List;

/**
 * Usage of a period as reports need it: intervals one by one, requests only as sums.
 *
 * @param nodes ordered by start and id
 * @param replicas ordered by start and id. Phases of a start other than place, fetch, boot and load are one
 * @param requests sums of the minutes that start in the period
 * @param damages what could not be read; empty if the usage is complete
 */
public record PeriodUsage(
        List<NodeInterval> nodes,
        List<ReplicaInterval> replicas,
        List<RequestSum> requests,
        List<LedgerDamage> damages) {}
