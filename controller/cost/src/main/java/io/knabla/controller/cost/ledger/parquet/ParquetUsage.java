package io.knabla.controller.cost.ledger.parquet;

import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestSum;
import java.util.List;

/**
 * Usage of a period: intervals one by one, requests only as sums.
 *
 * @param unreadable rows that are none, each with its id and why
 */
public record ParquetUsage(
        List<NodeInterval> nodes, List<ReplicaInterval> replicas, List<RequestSum> requests, List<String> unreadable) {}
