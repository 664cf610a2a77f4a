package io.knabla.controller.gc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.gc.EvidenceReader.Found;
import io.knabla.controller.gc.Flag.Raised;
import io.knabla.controller.gc.Mark.Judged;
import io.knabla.controller.gc.Mark.Plan;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Deletes objects that no version references: acquires the lock, reads the store, marks, sweeps, releases the lock.
 * A long collection runs in rounds that each read the store again, and waiting deploys proceed in between.
 */
public final class GarbageCollector {
    /** How long the deletion of one round may block deploys. */
    private static final Duration TURN = Duration.ofSeconds(30);

    private static final int HANDS = 8;

    private static final System.Logger LOG = System.getLogger(GarbageCollector.class.getName());

    /** Result of a collection. */
    public sealed interface Collection {
        record Done(Report report) implements Collection {}

        /** The catalog cannot be read completely; nothing was deleted. */
        record Unclear(String sentence) implements Collection {}

        /** Another collection or long-running deploys hold the lock; nothing was deleted. */
        record Busy(String sentence) implements Collection {}
    }

    /** Report of the last collection; its modification time is the time of that collection. */
    private static final ObjectKey LAST = new ObjectKey("gc/last.json");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Leases leases;
    private final EvidenceReader reader;
    private final Sweep sweep;
    private final Duration turn;

    GarbageCollector(Leases leases, RandomGenerator random) {
        this(leases, random, TURN);
    }

    GarbageCollector(Leases leases, RandomGenerator random, Duration turn) {
        this.leases = leases;
        this.turn = turn;
        var crew = new Crew(HANDS);
        this.reader = new EvidenceReader(leases.store(), leases.clock(), random, crew);
        this.sweep = new Sweep(leases.store(), crew, leases.ticker());
    }

    /** Dry run: reports what {@link #collect} would delete now. Changes nothing and takes no lock. */
    public Collection look(Duration grace) {
        Ticker.Moment began = leases.ticker().now();
        return switch (reader.read(grace)) {
            case Found.Unclear(var sentence) -> new Collection.Unclear(sentence);
            case Found.Complete(var evidence) ->
                done(Report.of(evidence, Mark.of(evidence), List.of(), true, 0), began);
        };
    }

    /**
     * Deletes objects that no version references.
     *
     * @param grace younger objects are kept
     */
    public Collection collect(Duration grace) {
        Ticker.Moment began = leases.ticker().now();
        List<Judged> deleted = new ArrayList<>();
        while (true) {
            Optional<Collection> ended = switch (Flag.raise(leases, "garbage collection")) {
                case Raised.Taken(var sentence) -> Optional.of(new Collection.Busy(sentence));
                case Raised.Busy(var sentence) -> Optional.of(new Collection.Busy(sentence));
                case Raised.Up(var lock) -> {
                    try (lock) {
                        yield turn(lock, grace, deleted);
                    }
                }
            };
            if (ended.isPresent()) {
                return ended.get() instanceof Collection.Done(var report) ? remember(done(report, began)) : ended.get();
            }
            // Longer than a poll interval: waiting deploys proceed first.
            LockSupport.parkNanos(leases.times().poll().multipliedBy(4).toNanos());
        }
    }

    /** Runs one round; empty if more is left to delete than one round has time for. */
    private Optional<Collection> turn(Flag lock, Duration grace, List<Judged> deleted) {
        return switch (reader.read(grace)) {
            case Found.Unclear(var sentence) -> Optional.of(new Collection.Unclear(sentence));
            case Found.Complete(var evidence) -> {
                Plan plan = Mark.of(evidence);
                boolean all = sweep.run(plan.garbage(), lock, turn, deleted);
                yield all
                        ? Optional.of(new Collection.Done(Report.of(evidence, plan, deleted, false, abort(evidence))))
                        : Optional.empty();
            }
        };
    }

    /**
     * No deploy runs, but models may be uploaded at any time: uploads in progress are kept as long as {@link
     * Kind#INCOMING}.
     */
    private int abort(Evidence evidence) {
        Duration age = evidence.grace().compareTo(Mark.UPLOAD) > 0 ? evidence.grace() : Mark.UPLOAD;
        return leases.store().abandonUploads(evidence.now().minus(age));
    }

    private Collection.Done done(Report report, Ticker.Moment began) {
        return new Collection.Done(report.took(leases.ticker().since(began)));
    }

    private Collection remember(Collection.Done done) {
        try {
            leases.store().write(LAST, Content.of(JSON.writeValueAsBytes(done.report())));
        } catch (StorageException outage) {
            // The garbage is deleted; at worst the next collection starts sooner.
            LOG.log(System.Logger.Level.WARNING, "cannot write " + LAST, outage);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
        return done;
    }

    /** Time of the last collection on any controller, by the store's clock. */
    Optional<Instant> last() {
        return leases.store().stat(LAST).map(ObjectInfo::modified);
    }

    /** By the store's clock. */
    Instant now() {
        return leases.clock().now();
    }
}
