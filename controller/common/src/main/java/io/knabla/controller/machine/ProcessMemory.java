package io.knabla.controller.machine;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads the memory use of a process and the memory size of this machine. Mapped files are not counted: they are page
 * cache that the kernel takes back when it needs it, so they also end no pod.
 */
public final class ProcessMemory {
    private static final Set<String> COUNTED = Set.of("RssAnon", "RssShmem", "VmSwap");

    private ProcessMemory() {}

    /** Bytes that only the end of the process frees; empty if it has ended or the system does not report them. */
    public static OptionalLong anonymousBytes(long pid) {
        try {
            byte[] status = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "status"));
            return new String(status, StandardCharsets.ISO_8859_1)
                    .lines()
                    .map(line -> line.split(":", 2))
                    .filter(line -> COUNTED.contains(line[0]))
                    .mapToLong(line -> Long.parseLong(line[1].replaceAll("\\D", "")) << 10)
                    .reduce(Long::sum);
        } catch (IOException ended) {
            return OptionalLong.empty();
        }
    }

    /** Whether this system reports the memory of processes; only Linux does. */
    public static boolean isReported() {
        return anonymousBytes(ProcessHandle.current().pid()).isPresent();
    }

    /** Memory of this machine, or of the container that this process runs in. */
    public static long machineBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
}
