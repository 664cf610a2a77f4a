package io.knabla.controller.gc;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.StorageException;
import io.knabla.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** A lease that this process holds and renews; {@link Leases} explains the protocol. Thread-safe. */
final class Lease {
    private static final System.Logger LOG = System.getLogger(Lease.class.getName());

    private final Leases leases;
    private final ObjectKey key;
    private final ReentrantLock lock = new ReentrantLock();
    private final ScheduledFuture<?> renewals;

    private LeaseDocument document;
    private String etag;
    private ElapsedClock.Moment written;
    private String lost;

    /** @param written moment before the store was asked to write {@code document} */
    Lease(Leases leases, ObjectKey key, LeaseDocument document, String etag, ElapsedClock.Moment written) {
        this.leases = leases;
        this.key = key;
        this.document = document;
        this.etag = etag;
        this.written = written;
        long pause = leases.times().renewal().toNanos();
        this.renewals = leases.timer()
                .scheduleWithFixedDelay(
                        () -> Thread.startVirtualThread(this::renew), pause, pause, TimeUnit.NANOSECONDS);
    }

    /**
     * Checks locally, without a request to the store; throws {@link LeaseLostException} if this process may no longer
     * act.
     */
    void check() {
        locked(() -> {
            expireIfStale();
            refuseIfLost();
        });
    }

    /** Renews the lease, which proves that no one took it over; throws {@link LeaseLostException} if it is lost. */
    void confirm() {
        locked(() -> {
            expireIfStale();
            refuseIfLost();
            write(document.renewed());
            refuseIfLost();
        });
    }

    /** Confirms, unless the last renewal is very recent. */
    void confirmIfStale() {
        check();
        if (leases.elapsedClock()
                        .since(lastWritten())
                        .compareTo(leases.times().renewal().dividedBy(3))
                > 0) {
            confirm();
        }
    }

    /** Releases the lease and keeps its document, which can be claimed again. */
    void end() {
        finish(() -> {
            if (lost == null) {
                write(document.asEnded());
            }
        });
    }

    /** Releases the lease and deletes its document; for a key that no other lease ever uses. */
    void remove() {
        finish(() -> leases.store().delete(key));
    }

    private void finish(Runnable farewell) {
        renewals.cancel(false);
        locked(() -> {
            try {
                farewell.run();
            } catch (StorageException outage) {
                // It expires by itself; waiters wait a little longer.
                LOG.log(System.Logger.Level.WARNING, "cannot give back " + key, outage);
            }
            lost = "it was given back";
        });
    }

    private void renew() {
        try {
            locked(() -> {
                expireIfStale();
                if (lost == null) {
                    write(document.renewed());
                }
            });
        } catch (StorageException outage) {
            // The next renewal may succeed; the lease is held until trust ends.
            LOG.log(System.Logger.Level.WARNING, "cannot renew " + key, outage);
        }
    }

    /** A lease that was not renewed for too long is lost for good, even if no one has taken it over. */
    private void expireIfStale() {
        Duration silent = leases.elapsedClock().since(written);
        if (lost == null && silent.compareTo(leases.times().trust()) > 0) {
            lost = "not renewed for %d s".formatted(silent.toSeconds());
        }
    }

    private void refuseIfLost() {
        if (lost != null) {
            throw new LeaseLostException(document, lost);
        }
    }

    private void write(LeaseDocument next) {
        ElapsedClock.Moment before = leases.elapsedClock().now();
        Optional<String> now = replace(next);
        if (now.isEmpty() && adoptOwnWrite()) {
            now = replace(next);
        }
        if (now.isEmpty()) {
            lost = "it was taken away as it was not renewed in time";
            return;
        }
        document = next;
        etag = now.get();
        written = before;
    }

    /**
     * A write whose response was lost may have happened: finding our own document does not mean that the lease is lost.
     */
    private boolean adoptOwnWrite() {
        Optional<StoredObject> there = leases.store().read(key);
        boolean ours = there.flatMap(object -> LeaseDocument.parse(object.bytes()))
                .filter(found -> found.holder().equals(document.holder()))
                .filter(found -> !found.ended())
                .isPresent();
        if (ours) {
            etag = there.get().etag();
        }
        return ours;
    }

    private Optional<String> replace(LeaseDocument next) {
        try {
            return leases.store().replaceIfMatch(key, etag, next.content());
        } catch (IOException impossible) {
            throw new UncheckedIOException("bytes in memory must be readable", impossible);
        }
    }

    private ElapsedClock.Moment lastWritten() {
        lock.lock();
        try {
            return written;
        } finally {
            lock.unlock();
        }
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }
}
