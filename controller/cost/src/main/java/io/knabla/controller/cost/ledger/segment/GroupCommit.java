package io.knabla.controller.cost.ledger.segment;

import io.knabla.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** Batches concurrent appends into one flush. */
final class GroupCommit {
    /** Makes bytes durable; called by one thread at a time. */
    @FunctionalInterface
    interface Flush {
        void write(byte[] frames);
    }

    /** Guarded by {@link #filling} until it is taken, then by {@link #flushing}. */
    private static final class Batch {
        final List<byte[]> frames = new ArrayList<>();
        boolean flushed;
        StorageException failure;
    }

    private final Flush flush;
    private final Object filling = new Object();
    private final ReentrantLock flushing = new ReentrantLock();
    private Batch open = new Batch();

    GroupCommit(Flush flush) {
        this.flush = flush;
    }

    void append(byte[] frames) {
        Batch mine = join(frames);
        flushing.lock();
        try {
            if (!mine.flushed) {
                flush(mine);
            }
        } finally {
            flushing.unlock();
        }
        if (mine.failure != null) {
            throw new StorageException(mine.failure.kind(), mine.failure.problem(), mine.failure.cure(), mine.failure);
        }
    }

    /** Runs while nothing is being flushed. */
    void exclusively(Runnable work) {
        flushing.lock();
        try {
            work.run();
        } finally {
            flushing.unlock();
        }
    }

    private Batch join(byte[] frames) {
        synchronized (filling) {
            open.frames.add(frames);
            return open;
        }
    }

    private void flush(Batch batch) {
        synchronized (filling) {
            open = new Batch();
        }
        batch.flushed = true;
        try {
            flush.write(RecordFraming.join(batch.frames));
        } catch (StorageException failed) {
            batch.failure = failed;
        } catch (RuntimeException | Error failed) {
            batch.failure = new StorageException(
                    StorageException.Kind.UNAVAILABLE,
                    "usage rows were not written: %s.".formatted(failed),
                    "Append them again.",
                    failed);
        }
    }
}
