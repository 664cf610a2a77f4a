package io.knabla.controller.local;

import io.knabla.controller.machine.ProcessMemory;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selects how this system enforces memory limits of processes: by cgroups, by polling, or not at all. */
final class MemoryGuards {
    private static final System.Logger LOG = System.getLogger(MemoryGuards.class.getName());

    private MemoryGuards() {}

    /** Says once if this system allows no guard. */
    static MemoryGuard forThisSystem() {
        if (!ProcessMemory.isReported()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "this system does not tell how much memory a process uses, so spec.resources.memory bounds only the Java heap of replicas; on Linux it bounds all of it");
            return (_, _, _) -> MemoryGuard.Hold.NONE;
        }
        MemoryGuard watch = new MemoryWatch();
        return CgroupGuard.open(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"), ownProcesses(), watch)
                .<MemoryGuard>map(guard -> guard)
                .orElse(watch);
    }

    private static Set<Long> ownProcesses() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.parent().stream())
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }
}
