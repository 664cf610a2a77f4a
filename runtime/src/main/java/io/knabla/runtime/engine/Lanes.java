package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Admission: so many runs at once, so many waiting, the rest refused at once; and the clock that stops late runs. */
final class Lanes {
    /** How late a late run may be noticed; far below any useful timeout. */
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final EngineSettings settings;
    private final long timeoutNanos;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ConcurrentLinkedDeque<Lane> idle = new ConcurrentLinkedDeque<>();
    private final List<Lane> all = new ArrayList<>();
    private final Thread watch;
    private volatile boolean watching;
    private volatile boolean closed;

    Lanes(EngineSettings settings) throws OrtException {
        this.settings = settings;
        this.timeoutNanos = settings.timeout().toNanos();
        this.free = new Semaphore(settings.concurrency());
        for (int i = 0; i < settings.concurrency(); i++) {
            all.add(new Lane());
        }
        idle.addAll(all);
        watch = Thread.ofPlatform().daemon().name("watch").unstarted(this::watch);
        watch.start();
    }

    /** A lane before {@code deadline}, or {@code BUSY} when the queue is full, {@code TIMED_OUT} when time ran out. */
    Lane take(long deadline) {
        if (!free.tryAcquire()) {
            await(deadline);
        }
        if (!watching) {
            watching = true;
            LockSupport.unpark(watch);
        }
        return idle.pollFirst();
    }

    private void await(long deadline) {
        if (waiting.incrementAndGet() > settings.queue()) {
            waiting.decrementAndGet();
            throw EngineException.busy(settings.concurrency(), settings.queue());
        }
        try {
            if (!free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw EngineException.timedOut(settings.timeout().toMillis());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw EngineException.timedOut(settings.timeout().toMillis());
        } finally {
            waiting.decrementAndGet();
        }
    }

    void give(Lane lane) {
        idle.addFirst(lane);
        free.release();
    }

    long deadline(long arrived) {
        return arrived + timeoutNanos;
    }

    int waiting() {
        return waiting.get();
    }

    int running() {
        return settings.concurrency() - free.availablePermits();
    }

    /** Sleeps for good while nothing runs, so that an idle replica costs no processor time. */
    private void watch() {
        while (!closed) {
            long now = System.nanoTime();
            all.forEach(lane -> lane.stopIfLate(now));
            if (running() > 0) {
                LockSupport.parkNanos(WATCH_NANOS);
            } else {
                watching = false;
                if (running() == 0) {
                    LockSupport.park();
                }
            }
        }
    }

    void close() {
        closed = true;
        LockSupport.unpark(watch);
        all.forEach(Lane::close);
    }
}
