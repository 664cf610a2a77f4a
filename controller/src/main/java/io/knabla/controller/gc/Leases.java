package io.knabla.controller.gc;

import io.knabla.controller.config.Ids;
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
 * Leases in the object store: documents that a holder renews while it works. They form one lock over the whole store
 * that is shared or exclusive: any number of deploys hold it together ({@link DeployLeases}: one document each), a
 * collection holds it alone ({@link CollectionLock}: one document for all controllers).
 *
 * <p><b>At least one sees the other</b> (Dekker's algorithm, as in Dijkstra, EWD 123). A deploy writes its lease,
 * <i>then</i> reads the lock. A collection writes the lock, <i>then</i> lists the leases of deploys. The store is
 * strongly consistent: a read that starts after a write returned sees it. If neither saw the other, each read would
 * precede the other's write, and hence its own: a contradiction. The one that sees the other waits: the deploy deletes
 * its lease and waits for the lock to be released, the collection waits for the leases to go. Both give up after a
 * while, the collection by releasing the lock. No waiter therefore waits for another waiter forever.
 *
 * <p><b>Hence no version lacks a blob.</b> A deploy holds its lease from before its first lookup of a model or a blob
 * until its version is in the catalog, and renews it right before that last write. A collection marks after it saw no
 * lease, and deletes only while it holds the lock. If the lease was released before marking, the version is in the
 * catalog that the collection read, and is kept. If the lease was taken later, the deploy saw the lock, waited, and
 * looked up blobs after all deletion. Other operations (traffic, rollback, deletion) only choose among versions in the
 * catalog, or reference fewer objects.
 *
 * <p><b>A crash</b> leaves a lease behind. It expires when it was not renewed for {@code life}. One clock decides that,
 * the store's: it dated the lease, and it is read by writing another object ({@link StoreClock}); the clocks of
 * controllers may differ by any amount. Before anyone acts on an expired lease, it ends the lease permanently by
 * replacing that very document: the next renewal of a holder that was only slow fails. A holder acts only for
 * {@code trust} after it began its last successful renewal, by the larger of the times that its own two clocks measured
 * ({@link ElapsedClock}), and checks that before every delete. It has therefore stopped by itself at least {@code life
 * - trust} before others may take over.
 *
 * <p><b>Remaining risk</b>: a delete or a catalog write that takes effect in the store more than {@code life - trust}
 * after that check, its retries included. Stores give up sooner (S3 after two minutes, unless configured otherwise), so
 * the machine would also have to suspend the deploy or collection for as long, between the check and the request.
 */
final class Leases implements AutoCloseable {
    /** Holder of a lease that may still be working. */
    record Holder(String who) {}

    /** State of a lease as a waiter last read it. */
    private record Observation(String etag, ElapsedClock.Moment moment) {}

    private final Map<ObjectKey, Observation> observations = new ConcurrentHashMap<>();
    private final ObjectStore store;
    private final Ids ids;
    private final ElapsedClock elapsedClock;
    private final LeaseTimes times;
    private final StoreClock storeClock;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("knabla-leases").factory());

    Leases(ObjectStore store, Ids ids, ElapsedClock ticker, LeaseTimes times) {
        this.store = store;
        this.ids = ids;
        this.elapsedClock = ticker;
        this.times = times;
        this.storeClock = new StoreClock(store);
    }

    /**
     * Takes a lease if no one holds it; of several concurrent claims one succeeds.
     *
     * @param what the holder does, for people
     */
    Optional<Lease> claim(ObjectKey key, String what) {
        Optional<StoredObject> there = store.read(key);
        if (there.isPresent() && !isFree(key, there.get())) {
            return Optional.empty();
        }
        return claim(key, what, there);
    }

    /** Takes a lease under a new key; empty if the key exists after all. */
    Optional<Lease> create(ObjectKey key, String what) {
        return claim(key, what, Optional.empty());
    }

    private Optional<Lease> claim(ObjectKey key, String what, Optional<StoredObject> there) {
        var document = LeaseDocument.first(
                ids.next() + ids.next(), what, elapsedClock.now().wall().toString());
        ElapsedClock.Moment before = elapsedClock.now();
        try {
            Optional<String> etag = there.isPresent()
                    ? store.replaceIfMatch(key, there.get().etag(), document.content())
                    : store.createOnce(key, document.content());
            return etag.map(tag -> new Lease(this, key, document, tag, before));
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
    }

    /** Returns the holder, if any; an expired lease is ended permanently before this returns empty. */
    Optional<Holder> holder(ObjectKey key) {
        Optional<StoredObject> there = store.read(key);
        Optional<LeaseDocument> document = there.flatMap(object -> LeaseDocument.parse(object.bytes()));
        if (there.isEmpty() || document.filter(LeaseDocument::ended).isPresent()) {
            observations.remove(key);
            return Optional.empty();
        }
        if (shouldReadClock(key, there.get().etag()) && expired(key) && endExpired(key, there.get())) {
            return Optional.empty();
        }
        return Optional.of(
                new Holder(document.map(LeaseDocument::toString).orElse("the unreadable lease '%s'".formatted(key))));
    }

    /** The store's time is read when a lease is first seen, then only while the lease is not renewed. */
    private boolean shouldReadClock(ObjectKey key, String etag) {
        Observation last = observations.get(key);
        boolean same = last != null && last.etag().equals(etag);
        if (same && elapsedClock.since(last.moment()).compareTo(times.renewal()) <= 0) {
            return false;
        }
        observations.put(key, new Observation(etag, elapsedClock.now()));
        return last == null || same;
    }

    private boolean isFree(ObjectKey key, StoredObject there) {
        return LeaseDocument.parse(there.bytes()).filter(LeaseDocument::ended).isPresent() || expired(key);
    }

    private boolean expired(ObjectKey key) {
        // In this order: a renewal between the two makes the lease look younger, never older.
        Instant now = storeClock.now();
        return store.stat(key)
                .map(ObjectInfo::modified)
                .filter(modified -> Duration.between(modified, now).compareTo(times.life()) > 0)
                .isPresent();
    }

    private boolean endExpired(ObjectKey key, StoredObject there) {
        LeaseDocument document = LeaseDocument.parse(there.bytes())
                .orElseGet(() -> LeaseDocument.first(ids.next(), "an unknown", "then"));
        try {
            return store.replaceIfMatch(key, there.etag(), document.asEnded().content())
                    .isPresent();
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
    }

    /** Polls until the condition holds; returns whether it held in time. */
    boolean await(Duration patience, BooleanSupplier so) {
        ElapsedClock.Moment began = elapsedClock.now();
        while (!so.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()
                    || elapsedClock.since(began).compareTo(patience) > 0) {
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

    ElapsedClock elapsedClock() {
        return elapsedClock;
    }

    LeaseTimes times() {
        return times;
    }

    StoreClock storeClock() {
        return storeClock;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
