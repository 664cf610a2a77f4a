package io.knabla.runtime.pool;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Keeps some members started that know no function yet. Starts one at a time, in the background. */
final class SpareMembers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SpareMembers.class.getName());
    private static final long RETRY_MILLIS = 2_000;

    /** From a wake until the refill: its caller comes first. */
    private static final long QUIET_MILLIS = 300;

    private final MemberCommand command;
    private final int wanted;
    private final Deque<MemberProcess> waiting = new ArrayDeque<>();
    private final Semaphore missing;
    private final Set<MemberProcess> starting = ConcurrentHashMap.newKeySet();
    private final Thread refiller = Thread.ofPlatform().daemon().name("spares").unstarted(this::refill);
    private volatile boolean closed;

    SpareMembers(MemberCommand command, int wanted) {
        this.command = command;
        this.wanted = wanted;
        missing = new Semaphore(wanted);
    }

    void start() {
        refiller.start();
    }

    /** Takes a waiting member; starts one if none waits. */
    MemberProcess take() throws IOException {
        MemberProcess spare;
        synchronized (this) {
            spare = waiting.poll();
        }
        if (spare == null) {
            return fresh();
        }
        missing.release();
        return spare.process().isAlive() ? spare : take();
    }

    synchronized boolean anyWaits() {
        return !waiting.isEmpty();
    }

    /** Memory of those that wait. */
    synchronized long bytes() {
        return waiting.stream().mapToLong(MemberProcess::bytes).sum();
    }

    private MemberProcess fresh() throws IOException {
        MemberProcess fresh = MemberProcess.start(command);
        starting.add(fresh);
        try {
            if (closed || !fresh.awaitReady()) {
                fresh.end();
                fresh.ended().join();
                throw new IOException("a member of the pool ended before it was ready");
            }
            return fresh;
        } finally {
            starting.remove(fresh);
        }
    }

    private void refill() {
        try {
            for (int i = 0; ; i++) {
                missing.acquire();
                if (i >= wanted) {
                    Thread.sleep(QUIET_MILLIS);
                }
                refillOne();
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private void refillOne() throws InterruptedException {
        try {
            keep(fresh());
        } catch (IOException failed) {
            LOG.log(WARNING, "cannot start a member of the pool: {0}", failed.getMessage());
            Thread.sleep(RETRY_MILLIS);
            missing.release();
        }
    }

    private synchronized void keep(MemberProcess spare) {
        if (closed) {
            spare.end();
        } else {
            waiting.add(spare);
        }
    }

    /** Returns when its processes have ended, and none starts any more. */
    @Override
    public void close() {
        closed = true;
        refiller.interrupt();
        starting.forEach(MemberProcess::end);
        try {
            refiller.join();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            waiting.forEach(MemberProcess::end);
            waiting.forEach(member -> member.ended().join());
            waiting.clear();
        }
    }
}
