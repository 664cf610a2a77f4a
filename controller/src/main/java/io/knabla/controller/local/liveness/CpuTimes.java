package io.knabla.controller.local.liveness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * CPU time and run-queue delay of a process. A process that hangs has neither.
 *
 * @param used by all its threads, those that ended included
 * @param waited for a processor, by its threads that are there; zero where the system does not tell
 */
public record CpuTimes(Duration used, Duration waited) {
    public static CpuTimes of(ProcessHandle process) {
        return new CpuTimes(process.info().totalCpuDuration().orElse(Duration.ZERO), waited(process.pid()));
    }

    /** Since then; the time waited is negative where threads ended, which take theirs with them. */
    CpuTimes since(CpuTimes before) {
        return new CpuTimes(used.minus(before.used), waited.minus(before.waited));
    }

    private static Duration waited(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return Duration.ofNanos(threads.mapToLong(CpuTimes::waitedNanos).sum());
        } catch (IOException | UncheckedIOException untold) {
            return Duration.ZERO;
        }
    }

    /** The second number of schedstat (Linux, Documentation/scheduler/sched-stats.rst). */
    private static long waitedNanos(Path thread) {
        try {
            return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ")[1]);
        } catch (IOException ended) {
            return 0;
        }
    }
}
