package io.knabla.controller.cost.ledger.row;

import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One revision of a record of usage. An interval is written when it starts, again with its totals while it lasts, and
 * at its end; of the rows with the same kind and id the one with the highest revision counts, whatever the order in
 * which they were written. A revision is never used for two different contents, and {@link #start} is the same in every
 * revision: it chooses the hour that the record is stored under.
 */
public sealed interface UsageRecord {
    RecordKind kind();

    /** Identifies the record among those of its kind. */
    String id();

    /** 0 or more. */
    long revision();

    Instant start();

    /** Exclusive; empty while the interval lasts. */
    Optional<Instant> end();

    /**
     * Returns whether some of its time lies in {@code [from, until)}, or it is empty and lies in {@code [from, until]}:
     * an end at {@code until} belongs to this period.
     */
    default boolean overlaps(Instant from, Instant until) {
        boolean endsAfter = end().map(from::isBefore).orElse(true);
        boolean emptyAtUntil =
                start().equals(until) && end().filter(until::equals).isPresent();
        return emptyAtUntil || (start().isBefore(until) && (endsAfter || !start().isBefore(from)));
    }

    /** Time for which a node is paid. */
    record Node(NodeInterval interval, long revision) implements UsageRecord {
        public Node {
            check(interval.id(), revision);
        }

        @Override
        public RecordKind kind() {
            return RecordKind.NODE;
        }

        @Override
        public String id() {
            return interval.id();
        }

        @Override
        public Instant start() {
            return interval.time().start();
        }

        @Override
        public Optional<Instant> end() {
            return interval.time().end();
        }
    }

    /** Time for which a replica held resources. */
    record Replica(ReplicaInterval interval, long revision) implements UsageRecord {
        public Replica {
            check(interval.id(), revision);
        }

        @Override
        public RecordKind kind() {
            return RecordKind.REPLICA;
        }

        @Override
        public String id() {
            return interval.id();
        }

        @Override
        public Instant start() {
            return interval.time().start();
        }

        @Override
        public Optional<Instant> end() {
            return interval.time().end();
        }
    }

    /** Request counters of one replica and one minute. */
    record Requests(RequestMinute minute, long revision) implements UsageRecord {
        public Requests {
            check(minute.replica(), revision);
        }

        @Override
        public RecordKind kind() {
            return RecordKind.REQUESTS;
        }

        /** The replica and the minute. */
        @Override
        public String id() {
            return minute.replica() + '@' + minute.minute();
        }

        @Override
        public Instant start() {
            return minute.minute();
        }

        @Override
        public Optional<Instant> end() {
            return Optional.of(minute.minute().plus(Duration.ofMinutes(1)));
        }
    }

    private static void check(String id, long revision) {
        if (id.isBlank() || revision < 0) {
            throw new IllegalArgumentException(
                    "a row needs an id and a revision of 0 or more, but has '%s' and %d".formatted(id, revision));
        }
    }
}
