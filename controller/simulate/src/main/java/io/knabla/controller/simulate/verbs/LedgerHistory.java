package io.knabla.controller.simulate.verbs;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.controller.cli.verbs.cost.LedgerRows;
import io.knabla.controller.simulate.spot.History;
import io.knabla.controller.simulate.spot.History.Minute;
import io.knabla.controller.simulate.spot.History.ReplicaRun;
import io.knabla.controller.simulate.spot.History.SpotNode;
import io.knabla.controller.spot.policy.Offering;
import io.knabla.controller.usage.CapacityType;
import io.knabla.controller.usage.Interval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads a history for the spot simulator from a platform's usage ledger. */
final class LedgerHistory {
    private static final String NODES = """
            select zone_id, epoch_ms(start_time), epoch_ms(end_time), ended, instance_type
            from nodes where capacity = 'SPOT' order by all""";

    private static final String REPLICAS = """
            select namespace, function, epoch_ms(replicas.start_time), epoch_ms(replicas.end_time), capacity, zone_id
            from replicas join nodes on nodes.id = replicas.node order by all""";

    private static final String REQUESTS = """
            select namespace, function, epoch_ms(start_time), sum(succeeded + failed), sum(failed), sum(busy_millis)
            from requests group by all order by all""";

    private final LedgerRows ledger;
    private final Optional<String> function;
    private final Set<String> instanceTypes = new TreeSet<>();

    /** @param function {@code NAMESPACE/NAME}; empty for all */
    LedgerHistory(LedgerRows ledger, Optional<String> function) {
        this.ledger = ledger;
        this.function = function;
    }

    /** @throws IllegalArgumentException if the ledger has no spot nodes or no requests in the time */
    History read() {
        List<SpotNode> nodes = new ArrayList<>();
        ledger.read(NODES, row -> {
            boolean interrupted = row.path(3).asText().equals("INTERRUPTED");
            nodes.add(new SpotNode(row.path(0).asText(), time(row, 1), interrupted));
            instanceTypes.add(row.path(4).asText());
        });
        List<ReplicaRun> replicas = new ArrayList<>();
        ledger.read(REPLICAS, row -> {
            if (isChosen(row)) {
                var capacity = CapacityType.valueOf(row.path(4).asText());
                replicas.add(new ReplicaRun(new Offering(capacity, row.path(5).asText()), time(row, 2)));
            }
        });
        var minutes = new TreeMap<Instant, Minute>();
        ledger.read(REQUESTS, row -> {
            if (isChosen(row)) {
                var minute = new Minute(
                        row.path(3).asLong(), row.path(4).asLong(), row.path(5).asLong());
                minutes.merge(Instant.ofEpochMilli(row.path(2).asLong()), minute, Minute::plus);
            }
        });
        return new History(nodes, replicas, minutes);
    }

    /** Types of the spot nodes that were read. */
    Set<String> instanceTypes() {
        return Set.copyOf(instanceTypes);
    }

    private boolean isChosen(JsonNode row) {
        return function.filter(wanted ->
                        !wanted.equals(row.path(0).asText() + "/" + row.path(1).asText()))
                .isEmpty();
    }

    private static Interval time(JsonNode row, int column) {
        JsonNode end = row.path(column + 1);
        return new Interval(
                Instant.ofEpochMilli(row.path(column).asLong()),
                end.isNumber() ? Optional.of(Instant.ofEpochMilli(end.asLong())) : Optional.empty());
    }
}
