package io.knabla.controller.gc;

import io.knabla.controller.Ids;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Leases: documents in the store that say "I am at work here", renewed while that is so. From them is made one lock
 * over the whole store, which any number of deploys hold together ({@link Pins}: one document each) and a collection
 * holds alone ({@link Flag}: one document for all controllers).
 *
 * <p><b>At least one sees the other</b> (Dekker's algorithm, as in Dijkstra, EWD 123). A deploy writes its pin,
 * <i>then</i> reads the flag. A collection writes the flag, <i>then</i> lists the pins. The store is strong: a read
 * that starts after a write returned sees it. Were both blind, each one's read would come before the other's write,
 * hence before its own: a circle. Who sees the other waits: the deploy takes its pin away and waits for the flag to go,
 * the collection waits for the pins to go; both give up after a while, the collection by giving back the flag. So
 * neither waits for a waiter forever.
 *
 * <p><b>Hence no version without its blobs.</b> A deploy holds its pin from before its first look at a model or a blob
 * until its version is in the catalog, and renews it right before that last write. A collection judges after it saw no
 * pin and deletes only under its flag. If the pin went before the judgement, the version was in the catalog the
 * collection read, and is kept. If the pin came after, the deploy saw the flag, waited, and looked at blobs when all
 * deleting was over. What no deploy does (traffic, rollback, deletion) only moves among versions that the catalog
 * keeps, or needs less.
 *
 * <p><b>A crash</b> leaves a lease behind. It is over when it was not renewed for {@code life}, and the judge of that
 * is one clock, the store's, which dated the lease and is asked for the time by dating something else
 * ({@link StoreClock}); clocks of controllers may differ as they like. Over is made final before anyone acts on it, by
 * replacing that very document: a holder that was only slow finds its next renewal refused. A holder in turn acts only
 * for {@code trust} after it began its last good renewal, measured by what its own clocks agree went by at least, and
 * checks that before every delete. So it has stopped by itself at least {@code life - trust} before others may take
 * over.
 *
 * <p><b>What is left</b>: a delete or a catalog write that takes longer than {@code life - trust} from that check until
 * it takes effect in the store, its retries included. Stores give up sooner (S3 after two minutes, where nobody sets
 * more), and the deploy or collection it belongs to would have to be stopped by its machine for as long, between the
 * check and the request.
 */
final class Leases implements AutoCloseable {
    /** A lease of someone who may be at work. */
    record Alive(String who) {}

    /** A lease as last seen by one who waits. */
    private record Sight(String etag, Ticker.Moment moment) {}

    private final Map<ObjectKey, Sight> sights = new ConcurrentHashMap<>();
    private final ObjectStore store;
    private final Ids ids;
    private final Ticker ticker;
    private final LeaseTimes times;
    private final StoreClock clock;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-leases").factory());

    Leases(ObjectStore store, Ids ids, Ticker ticker, LeaseTimes times) {
        this.store = store;
        this.ids = ids;
        this.ticker = ticker;
        this.times = times;
        this.clock = new StoreClock(store);
    }

    /**
     * Takes a lease where nobody holds it; of many at once one gets it.
     *
     * @param what the holder does, for people
     */
    Optional<Lease> claim(ObjectKey key, String what) {
        Optional<StoredObject> there = store.read(key);
        if (there.isPresent() && !over(key, there.get())) {
            return Optional.empty();
        }
        return claim(key, what, there);
    }

    /** Takes a lease that nobody ever had, as its key is new; empty where that was an error. */
    Optional<Lease> first(ObjectKey key, String what) {
        return claim(key, what, Optional.empty());
    }

    private Optional<Lease> claim(ObjectKey key, String what, Optional<StoredObject> there) {
        var document = LeaseDocument.first(
                ids.next() + ids.next(), what, ticker.now().wall().toString());
        Ticker.Moment before = ticker.now();
        try {
            Optional<String> etag = there.isPresent()
                    ? store.replaceIfMatch(key, there.get().etag(), document.content())
                    : store.createOnce(key, document.content());
            return etag.map(tag -> new Lease(this, key, document, tag, before));
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
    }

    /** Who holds it, if anyone; what is over is ended for good before this answers that nobody does. */
    Optional<Alive> alive(ObjectKey key) {
        Optional<StoredObject> there = store.read(key);
        Optional<LeaseDocument> document = there.flatMap(object -> LeaseDocument.parse(object.bytes()));
        if (there.isEmpty() || document.filter(LeaseDocument::ended).isPresent()) {
            sights.remove(key);
            return Optional.empty();
        }
        if (worthAsking(key, there.get().etag()) && expired(key) && broken(key, there.get())) {
            return Optional.empty();
        }
        return Optional.of(new Alive(
                document.map(LeaseDocument::toString).orElse("what '%s' says, which cannot be read,".formatted(key))));
    }

    /** The store is asked for the time at the first sight of a lease, then only where it is not renewed. */
    private boolean worthAsking(ObjectKey key, String etag) {
        Sight last = sights.get(key);
        boolean same = last != null && last.etag().equals(etag);
        if (same && ticker.since(last.moment()).compareTo(times.renewal()) <= 0) {
            return false;
        }
        sights.put(key, new Sight(etag, ticker.now()));
        return last == null || same;
    }

    private boolean over(ObjectKey key, StoredObject there) {
        return LeaseDocument.parse(there.bytes()).filter(LeaseDocument::ended).isPresent() || expired(key);
    }

    private boolean expired(ObjectKey key) {
        // In this order: a renewal between the two makes the lease look younger, never older.
        Instant now = clock.now();
        return store.stat(key)
                .map(ObjectInfo::modified)
                .filter(modified -> Duration.between(modified, now).compareTo(times.life()) > 0)
                .isPresent();
    }

    private boolean broken(ObjectKey key, StoredObject there) {
        LeaseDocument document = LeaseDocument.parse(there.bytes())
                .orElseGet(() -> LeaseDocument.first(ids.next(), "an unknown", "then"));
        try {
            return store.replaceIfMatch(key, there.etag(), document.asEnded().content())
                    .isPresent();
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
    }

    /** Looks again and again until it is so; answers whether it came so in time. */
    boolean await(Duration patience, BooleanSupplier so) {
        Ticker.Moment began = ticker.now();
        while (!so.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted() || ticker.since(began).compareTo(patience) > 0) {
                return false;
            }
            LockSupport.parkNanos(times.poll().toNanos());
        }
        return true;
    }

    ObjectStore store() {
        return store;
    }

    Ids ids() {
        return ids;
    }

    Ticker ticker() {
        return ticker;
    }

    LeaseTimes times() {
        return times;
    }

    StoreClock clock() {
        return clock;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
