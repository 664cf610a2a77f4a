package io.knabla.runtime.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Reads the CPU time and the resident memory of this process; both are 0 where the system does not report them. */
final class ProcessResources {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessResources() {}

    static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    static long residentBytes() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
        } catch (IOException unknown) {
            // Only Linux has it.
        }
        return 0;
    }
}
