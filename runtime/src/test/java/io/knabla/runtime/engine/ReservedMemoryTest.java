package io.knabla.runtime.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ReservedMemoryTest {
    private static final long BYTES = 1L << 30;
    private static final long WRITTEN = 64L << 20;

    /** What the rest of the process may take or give back meanwhile. */
    private static final long NOISE = 32L << 20;

    private static long resident() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("RssAnon"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void takesRoomOnlyWhereItIsWrittenUntilItIsReleased() throws IOException {
        long before = resident();
        try (ReservedMemory memory = ReservedMemory.of(BYTES)) {
            assertThat(resident() - before).isLessThan(NOISE);
            memory.segment().asSlice(BYTES / 2, WRITTEN).fill((byte) 1);
            assertThat(resident() - before).isBetween(WRITTEN - NOISE, WRITTEN + NOISE);
            memory.release(BYTES / 2, WRITTEN);
            assertThat(resident() - before).isLessThan(NOISE);
            assertThat(memory.segment().get(JAVA_BYTE, 0)).isZero();
        }
    }
}
