package io.knabla.controller.cost.record;

import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Work;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares what a {@link UsageSource} tells with what was recorded, and makes the rows to append: at the begin and the
 * end of an interval, when its totals change, and every {@link #REPEAT} while it lasts. Rows wait here, the newest of
 * each record, until they are durable. New work of a replica goes to the minute in which it was observed, so the
 * minutes of a replica always add up to its interval.
 */
final class RecordedUsage {
    /**
     * An interval that lasts is written again this often: then it is among the rows that are not merged yet, where the
     * next controller finds it without reading Parquet.
     */
    static final Duration REPEAT = Duration.ofSeconds(60);

    /** When more rows wait, because the ledger takes none, new work goes to a minute that waits already. */
    static final int MAX_MINUTES = 50_000;

    private record Key(RecordKind kind, String id) {
        static Key of(UsageRecord row) {
            return new Key(row.kind(), row.id());
        }
    }

    private final Map<String, UsageRecord.Node> nodes = new HashMap<>();
    private final Map<String, UsageRecord.Replica> replicas = new HashMap<>();

    /** The last minute of each replica. */
    private final Map<String, UsageRecord.Requests> minutes = new HashMap<>();

    private final Map<Key, UsageRecord> pending = new LinkedHashMap<>();

    /** @param rows that are not merged yet; see {@link io.knabla.controller.cost.ledger.Ledger#unmerged} */
    static RecordedUsage of(Collection<UsageRecord> rows) {
        RecordedUsage recorded = new RecordedUsage();
        for (UsageRecord row : rows) {
            switch (row) {
                case UsageRecord.Node node -> recorded.nodes.put(node.id(), node);
                case UsageRecord.Replica replica -> recorded.replicas.put(replica.id(), replica);
                case UsageRecord.Requests requests ->
                    recorded.minutes.merge(
                            requests.minute().replica(),
                            requests,
                            (held, other) -> other.start().isAfter(held.start()) ? other : held);
            }
        }
        return recorded;
    }

    /** Adds rows for what changed since the last call. */
    void observe(UsageSource source, Instant now) {
        Set<String> listed = new HashSet<>();
        for (NodeInterval node : source.nodes()) {
            listed.add(node.id());
            observe(node, now);
        }
        // The source may know more of a record than it lists, so that it goes on.
        for (UsageRecord.Node gone : missing(nodes.values(), listed)) {
            end(gone, source, now);
        }
        listed.clear();
        for (ReplicaInterval replica : source.replicas()) {
            listed.add(replica.id());
            observe(replica, now);
        }
        for (UsageRecord.Replica gone : missing(replicas.values(), listed)) {
            end(gone, source, now);
        }
    }

    private static <R extends UsageRecord> List<R> missing(Collection<R> known, Set<String> listed) {
        return known.stream().filter(row -> !listed.contains(row.id())).toList();
    }

    private void end(UsageRecord.Node gone, UsageSource source, Instant now) {
        if (gone.end().isEmpty()) {
            observe(source.ended(gone.interval(), Revisions.time(gone.revision())), now);
        }
        nodes.computeIfPresent(gone.id(), (_, row) -> row.end().isPresent() ? null : row);
    }

    private void end(UsageRecord.Replica gone, UsageSource source, Instant now) {
        if (gone.end().isEmpty()) {
            observe(source.ended(gone.interval(), Revisions.time(gone.revision())), now);
        }
        if (replicas.get(gone.id()).end().isPresent()) {
            replicas.remove(gone.id());
            minutes.remove(gone.id());
        }
    }

    private void observe(NodeInterval node, Instant now) {
        Optional<UsageRecord.Node> last = Optional.ofNullable(nodes.get(node.id()));
        NodeInterval next =
                last.map(row -> Continuation.of(row.interval(), node)).orElse(node);
        boolean changed = last.filter(row -> row.interval().equals(next)).isEmpty();
        if (isDue(last, next.time().end(), now, changed)) {
            long revision = Revisions.next(
                    last.map(UsageRecord::revision), next.time().end().isPresent(), now);
            nodes.put(next.id(), add(new UsageRecord.Node(next, revision)));
        }
    }

    private void observe(ReplicaInterval replica, Instant now) {
        Optional<UsageRecord.Replica> last = Optional.ofNullable(replicas.get(replica.id()));
        ReplicaInterval next =
                last.map(row -> Continuation.of(row.interval(), replica)).orElse(replica);
        boolean changed = last.filter(row -> isSame(row.interval(), next)).isEmpty();
        if (isDue(last, next.time().end(), now, changed)) {
            Work before = last.map(row -> row.interval().work()).orElse(Work.NONE);
            addWork(next, next.work().minus(before), now);
            long revision = Revisions.next(
                    last.map(UsageRecord::revision), next.time().end().isPresent(), now);
            replicas.put(next.id(), add(new UsageRecord.Replica(next, revision)));
        }
    }

    /** What lasts is written also without a change, now and then. */
    private static boolean isDue(
            Optional<? extends UsageRecord> last, Optional<Instant> end, Instant now, boolean changed) {
        boolean old = last.filter(
                        row -> Revisions.time(row.revision()).plus(REPEAT).isAfter(now))
                .isEmpty();
        return changed || (end.isEmpty() && old);
    }

    /** Averages change all the time, so they do not count. */
    private static boolean isSame(ReplicaInterval one, ReplicaInterval other) {
        return one.time().equals(other.time())
                && one.end() == other.end()
                && one.work().equals(other.work())
                && one.startPhases().keySet().equals(other.startPhases().keySet());
    }

    private void addWork(ReplicaInterval replica, Work work, Instant now) {
        if (work.equals(Work.NONE)) {
            return;
        }
        Optional<UsageRecord.Requests> last = Optional.ofNullable(minutes.get(replica.id()));
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        // Not before the last one, should the clock be set back: its row would lose against the one that is there.
        Optional<UsageRecord.Requests> same = last.filter(row -> !row.start().isBefore(minute) || isFullOf(row));
        Work before = same.map(row -> row.minute().work()).orElse(Work.NONE);
        RequestMinute next = new RequestMinute(
                replica.namespace(),
                replica.function(),
                replica.version(),
                replica.id(),
                same.map(UsageRecord::start).orElse(minute),
                before.plus(work));
        minutes.put(
                replica.id(),
                add(new UsageRecord.Requests(next, Revisions.next(same.map(UsageRecord::revision), false, now))));
    }

    private boolean isFullOf(UsageRecord.Requests row) {
        return pending.size() >= MAX_MINUTES && pending.containsKey(Key.of(row));
    }

    private <R extends UsageRecord> R add(R row) {
        pending.put(Key.of(row), row);
        return row;
    }

    /** Rows that are not known to be durable. */
    List<UsageRecord> pending() {
        return List.copyOf(pending.values());
    }

    /** @param rows of {@link #pending()} that are durable */
    void written(Collection<UsageRecord> rows) {
        rows.forEach(row -> pending.remove(Key.of(row), row));
    }
}
