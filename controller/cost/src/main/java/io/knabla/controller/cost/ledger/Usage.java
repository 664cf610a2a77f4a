package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.cost.ledger.segment.LedgerDamage;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import java.util.List;
import java.util.stream.Stream;

/**
 * Usage rows of a period, and what could not be read.
 *
 * @param rows one of each record; those that a {@link UsageReader} read are ordered by kind, start and id
 * @param damages what could not be read; empty if the rows are complete
 */
public record Usage(List<UsageRecord> rows, List<LedgerDamage> damages) {
    public Usage {
        rows = List.copyOf(rows);
        damages = List.copyOf(damages);
    }

    public List<NodeInterval> nodes() {
        return rows.stream()
                .flatMap(row -> row instanceof UsageRecord.Node node ? Stream.of(node.interval()) : null)
                .toList();
    }

    public List<ReplicaInterval> replicas() {
        return rows.stream()
                .flatMap(row -> row instanceof UsageRecord.Replica replica ? Stream.of(replica.interval()) : null)
                .toList();
    }

    public List<RequestMinute> requests() {
        return rows.stream()
                .flatMap(row -> row instanceof UsageRecord.Requests requests ? Stream.of(requests.minute()) : null)
                .toList();
    }
}
