package io.knabla.runtime.engine;

import ai.onnxruntime.OrtException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Admission control: limits concurrent and queued runs, rejects the rest at once, and stops runs at their deadline. */
final class RunSlots {
    /** How often deadlines are checked; far below any useful timeout. */
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final EngineSettings settings;
    private final long timeoutNanos;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ConcurrentLinkedDeque<RunSlot> idle = new ConcurrentLinkedDeque<>();
    private final List<RunSlot> all = new ArrayList<>();
    private final Thread watch;
    private volatile boolean watching;
    private volatile boolean closed;

    RunSlots(EngineSettings settings) throws OrtException {
        this.settings = settings;
        this.timeoutNanos = settings.timeout().toNanos();
        this.free = new Semaphore(settings.concurrency());
        for (int i = 0; i < settings.concurrency(); i++) {
            all.add(new RunSlot());
        }
        idle.addAll(all);
        watch = Thread.ofPlatform().daemon().name("watch").unstarted(this::watch);
        watch.start();
    }

    /**
     * Takes a slot, waiting until {@code deadline}; throws {@code BUSY} if the queue is full, {@code TIMED_OUT} at the
     * deadline, also where a slot is free then: nobody waits for the answer.
     */
    RunSlot take(long deadline) {
        if (deadline - System.nanoTime() <= 0) {
            throw EngineException.timedOut(settings.timeout().toMillis());
        }
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

    void give(RunSlot slot) {
        idle.addFirst(slot);
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

    /** The longest time that a run has gone on after it was told to stop; 0 if none has. */
    long overdueNanos() {
        long now = System.nanoTime();
        return all.stream().mapToLong(slot -> slot.overdueNanos(now)).max().orElse(0);
    }

    /** Checks deadlines while anything runs; parks when idle, because an idle replica must use no CPU. */
    private void watch() {
        while (!closed) {
            long now = System.nanoTime();
            all.forEach(slot -> slot.stopIfLate(now));
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
        all.forEach(RunSlot::close);
    }
}
