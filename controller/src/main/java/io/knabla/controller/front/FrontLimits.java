package io.knabla.controller.front;

import io.knabla.runtime.http.HttpLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Computes the limits of the front from the file descriptors and the heap of this process. */
final class FrontLimits {
    private static final int MOST_CONNECTIONS = 4096;
    private static final int DEFAULT_DESCRIPTORS = 1024;

    /** Descriptors for logs, the store, replicas' pipes and the control API. */
    private static final int OTHER_DESCRIPTORS = 256;

    /** A request that is passed on has a connection on both sides. */
    private static final int PER_CONNECTION = 2;

    private static final long LEAST_BUFFERED = 16L << 20;
    private static final long MOST_BUFFERED = 32L << 20;

    private FrontLimits() {}

    static HttpLimits ofProcess() {
        return of(descriptors(), Runtime.getRuntime().maxMemory());
    }

    /**
     * @param descriptors that this process may open
     * @param heap bytes
     */
    static HttpLimits of(long descriptors, long heap) {
        long connections = Math.max(16, (descriptors - OTHER_DESCRIPTORS) / PER_CONNECTION);
        int most = (int) Math.min(MOST_CONNECTIONS, connections);
        return new HttpLimits(
                64 << 20,
                Math.clamp(heap / 4, LEAST_BUFFERED, MOST_BUFFERED),
                most,
                Math.max(8, most / 4),
                Duration.ofSeconds(10),
                Duration.ofSeconds(75),
                Duration.ofSeconds(30));
    }

    private static long descriptors() {
        try {
            return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                    .filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.split("\\s+")[3])
                    .filter(soft -> soft.chars().allMatch(Character::isDigit))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(MOST_CONNECTIONS * PER_CONNECTION + OTHER_DESCRIPTORS);
        } catch (IOException noLinux) {
            return DEFAULT_DESCRIPTORS;
        }
    }
}
