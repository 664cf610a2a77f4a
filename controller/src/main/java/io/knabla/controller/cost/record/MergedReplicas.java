package io.knabla.controller.cost.record;

import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.ReplicaInterval;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds the rows of replicas that ended in an earlier hour and that the platform still lists, such as evicted pods:
 * their rows may be merged, and recorded once more, their work would be counted twice.
 */
final class MergedReplicas {
    private static final Duration MICROSECOND = Duration.of(1, ChronoUnit.MICROS);

    private final Supplier<UsageReader> reader;

    MergedReplicas(Supplier<UsageReader> reader) {
        this.reader = reader;
    }

    /**
     * Opens no database if there are none.
     *
     * @param unmerged ids of replicas that need not be looked for
     */
    List<UsageRecord> find(Collection<ReplicaInterval> listed, Set<String> unmerged, Instant now) {
        Instant hour = now.truncatedTo(ChronoUnit.HOURS);
        // By the hour of their end: few others lasted then, and all rows of a period are in memory.
        Map<Instant, List<ReplicaInterval>> hours = listed.stream()
                .filter(replica -> !unmerged.contains(replica.id()))
                .filter(replica -> replica.time().end().filter(hour::isAfter).isPresent())
                .collect(Collectors.groupingBy(replica -> end(replica).truncatedTo(ChronoUnit.HOURS)));
        List<UsageRecord> rows = new ArrayList<>();
        hours.values().forEach(ended -> rows.addAll(read(ended)));
        return rows;
    }

    private List<UsageRecord> read(List<ReplicaInterval> ended) {
        Set<String> ids = ended.stream().map(ReplicaInterval::id).collect(Collectors.toSet());
        List<Instant> ends = ended.stream().map(MergedReplicas::end).sorted().toList();
        Instant from = ends.getFirst().minus(MICROSECOND);
        Instant until = ends.getLast().plus(MICROSECOND);
        try {
            return reader.get().rows(from, until, Set.of(RecordKind.REPLICA)).rows().stream()
                    .filter(row -> ids.contains(row.id()))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Instant end(ReplicaInterval replica) {
        return replica.time().end().orElseThrow();
    }
}
