package io.knabla.controller.local;

import io.knabla.controller.machine.MemoryLimit;
import io.knabla.controller.machine.ProcessMemory;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the memory of processes at an interval, and kills one that uses more than it may. Between two looks a process
 * can exceed its limit: the engine takes about 1 GB a second.
 */
final class MemoryWatch implements MemoryGuard {
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("knabla-memory").factory());

    MemoryWatch() {
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Hold hold(ProcessHandle process, MemoryLimit limit, Duration interval) {
        AtomicLong exceeded = new AtomicLong();
        Future<?> looks = timer.scheduleWithFixedDelay(
                () -> look(process, limit, exceeded), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        return new Hold() {
            @Override
            public OptionalLong exceeded() {
                long bytes = exceeded.get();
                return bytes == 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
            }

            @Override
            public void close() {
                looks.cancel(false);
            }
        };
    }

    private static void look(ProcessHandle process, MemoryLimit limit, AtomicLong exceeded) {
        long used = ProcessMemory.anonymousBytes(process.pid()).orElse(0);
        if (used > limit.bytes() && process.isAlive()) {
            // Before the kill: whoever sees the end asks for its cause.
            exceeded.compareAndSet(0, used);
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
