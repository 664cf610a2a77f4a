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
 * Collects what no version needs: raise the flag, look, judge, delete, lower the flag. A long one is done in turns,
 * each with its own look, so that deploys never wait for long.
 */
public final class GarbageCollector {
    /** How long deploys wait for one turn's deleting. */
    private static final Duration TURN = Duration.ofSeconds(30);

    private static final int HANDS = 8;

    private static final System.Logger LOG = System.getLogger(GarbageCollector.class.getName());

    /** How a collection ended. */
    public sealed interface Collection {
        record Done(Report report) implements Collection {}

        /** The catalog cannot be read as a whole; nothing was deleted. */
        record Unclear(String sentence) implements Collection {}

        /** Another collection, or deploys that go on for long; nothing was deleted. */
        record Busy(String sentence) implements Collection {}
    }

    /** What the last collection did; its date is when that was. */
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

    /** What {@link #collect} would delete if it ran now; changes nothing, waits for nobody. */
    public Collection look(Duration grace) {
        Ticker.Moment began = leases.ticker().now();
        return switch (reader.read(grace)) {
            case Found.Unclear(var sentence) -> new Collection.Unclear(sentence);
            case Found.Complete(var evidence) ->
                done(Report.of(evidence, Mark.of(evidence), List.of(), true, 0), began);
        };
    }

    /**
     * Deletes what no version needs.
     *
     * @param grace what is younger stays
     */
    public Collection collect(Duration grace) {
        Ticker.Moment began = leases.ticker().now();
        List<Judged> deleted = new ArrayList<>();
        while (true) {
            Optional<Collection> ended = switch (Flag.raise(leases, "garbage collection")) {
                case Raised.Taken(var sentence) -> Optional.of(new Collection.Busy(sentence));
                case Raised.Busy(var sentence) -> Optional.of(new Collection.Busy(sentence));
                case Raised.Up(var flag) -> {
                    try (flag) {
                        yield turn(flag, grace, deleted);
                    }
                }
            };
            if (ended.isPresent()) {
                return ended.get() instanceof Collection.Done(var report) ? remember(done(report, began)) : ended.get();
            }
            // Those who wait look again within a poll's time; this is their turn.
            LockSupport.parkNanos(leases.times().poll().multipliedBy(4).toNanos());
        }
    }

    /** Empty where there is more to delete than one turn has time for. */
    private Optional<Collection> turn(Flag flag, Duration grace, List<Judged> deleted) {
        return switch (reader.read(grace)) {
            case Found.Unclear(var sentence) -> Optional.of(new Collection.Unclear(sentence));
            case Found.Complete(var evidence) -> {
                Plan plan = Mark.of(evidence);
                boolean all = sweep.run(plan.garbage(), flag, turn, deleted);
                yield all
                        ? Optional.of(new Collection.Done(Report.of(evidence, plan, deleted, false, abort(evidence))))
                        : Optional.empty();
            }
        };
    }

    /** No deploy is under way, but uploads of models may be: they get the time that those get. */
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
            // The work is done; at worst it is done again sooner.
            LOG.log(System.Logger.Level.WARNING, "cannot write " + LAST, outage);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a record must be writable", impossible);
        }
        return done;
    }

    /** When one was done last, by the store's clock, on whatever controller. */
    Optional<Instant> last() {
        return leases.store().stat(LAST).map(ObjectInfo::modified);
    }

    /** By the store's clock. */
    Instant now() {
        return leases.clock().now();
    }
}
