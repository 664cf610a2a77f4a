package io.knabla.controller.gc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.gc.CollectionLock.LockResult;
import io.knabla.controller.gc.Marker.ObjectDecision;
import io.knabla.controller.gc.Marker.Plan;
import io.knabla.controller.gc.SnapshotReader.ReadResult;
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
 * Deletes objects that no version references: acquires the lock, reads the store, marks, sweeps, releases the lock. A
 * long collection runs in rounds that each read the store again, and waiting deploys proceed in between.
 */
public final class GarbageCollector {
    /** How long the deletion of one round may block deploys. */
    private static final Duration TURN = Duration.ofSeconds(30);

    private static final int CONCURRENCY = 8;

    private static final System.Logger LOG = System.getLogger(GarbageCollector.class.getName());

    /** Result of a collection. */
    public sealed interface CollectionResult {
        record Done(Report report) implements CollectionResult {}

        /** The catalog cannot be read completely; nothing was deleted. */
        record Unclear(String sentence) implements CollectionResult {}

        /** Another collection or long-running deploys hold the lock; nothing was deleted. */
        record Busy(String sentence) implements CollectionResult {}
    }

    /** Report of the last collection; its modification time is the time of that collection. */
    private static final ObjectKey LAST = new ObjectKey("gc/last.json");

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Leases leases;
    private final SnapshotReader reader;
    private final Sweep sweep;
    private final Duration turn;

    GarbageCollector(Leases leases, RandomGenerator random) {
        this(leases, random, TURN);
    }

    GarbageCollector(Leases leases, RandomGenerator random, Duration turn) {
        this.leases = leases;
        this.turn = turn;
        var crew = new Parallel(CONCURRENCY);
        this.reader = new SnapshotReader(leases.store(), leases.storeClock(), random, crew);
        this.sweep = new Sweep(leases.store(), crew, leases.elapsedClock());
    }

    /** Dry run: reports what {@link #collect} would delete now. Changes nothing and takes no lock. */
    public CollectionResult dryRun(Duration grace) {
        ElapsedClock.Moment began = leases.elapsedClock().now();
        return switch (reader.read(grace)) {
            case ReadResult.Unclear(var sentence) -> new CollectionResult.Unclear(sentence);
            case ReadResult.Complete(var evidence) ->
                done(Report.of(evidence, Marker.of(evidence), List.of(), true, 0), began);
        };
    }

    /**
     * Deletes objects that no version references.
     *
     * @param grace younger objects are kept
     */
    public CollectionResult collect(Duration grace) {
        ElapsedClock.Moment began = leases.elapsedClock().now();
        List<ObjectDecision> deleted = new ArrayList<>();
        while (true) {
            Optional<CollectionResult> ended = switch (CollectionLock.acquire(leases, "garbage collection")) {
                case LockResult.AlreadyRunning(var sentence) -> Optional.of(new CollectionResult.Busy(sentence));
                case LockResult.Busy(var sentence) -> Optional.of(new CollectionResult.Busy(sentence));
                case LockResult.Acquired(var lock) -> {
                    try (lock) {
                        yield turn(lock, grace, deleted);
                    }
                }
            };
            if (ended.isPresent()) {
                return ended.get() instanceof CollectionResult.Done(var report)
                        ? remember(done(report, began))
                        : ended.get();
            }
            // Longer than a poll interval: waiting deploys proceed first.
            LockSupport.parkNanos(leases.times().poll().multipliedBy(4).toNanos());
        }
    }

    /** Runs one round; empty if more is left to delete than one round has time for. */
    private Optional<CollectionResult> turn(CollectionLock lock, Duration grace, List<ObjectDecision> deleted) {
        return switch (reader.read(grace)) {
            case ReadResult.Unclear(var sentence) -> Optional.of(new CollectionResult.Unclear(sentence));
            case ReadResult.Complete(var evidence) -> {
                Plan plan = Marker.of(evidence);
                boolean all = sweep.run(plan.garbage(), lock, turn, deleted);
                yield all
                        ? Optional.of(new CollectionResult.Done(
                                Report.of(evidence, plan, deleted, false, abortUploads(evidence))))
                        : Optional.empty();
            }
        };
    }

    /**
     * No deploy runs, but models may be uploaded at any time: uploads in progress are kept as long as
     * {@link ObjectKind#INCOMING}.
     */
    private int abortUploads(StoreSnapshot evidence) {
        Duration age = evidence.grace().compareTo(Marker.UPLOAD) > 0 ? evidence.grace() : Marker.UPLOAD;
        return leases.store().abortStaleUploads(evidence.now().minus(age));
    }

    private CollectionResult.Done done(Report report, ElapsedClock.Moment began) {
        return new CollectionResult.Done(
                report.withDuration(leases.elapsedClock().since(began)));
    }

    private CollectionResult remember(CollectionResult.Done done) {
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
        return leases.storeClock().now();
    }
}
