package io.knabla.controller.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the heap of the assembled platform: the launcher starts it again if it ends because it ran out of memory. */
@Tag("faults")
class PlatformHeapIT {
    private static final long MIB = 1L << 20;

    @Test
    void theHeapIsBoundedAndAFullOneEndsThePlatform() throws Exception {
        Process platform = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+PrintFlagsFinal",
                        "@" + Path.of("target/quarkus-app/controller.args").toAbsolutePath(),
                        "up",
                        "--help")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Map<String, String> flags = platform.inputReader()
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 3 && words[2].equals("="))
                .collect(Collectors.toMap(words -> words[1], words -> words[3], (first, _) -> first));

        assertThat(platform.waitFor()).isZero();
        assertThat(flags).containsEntry("ExitOnOutOfMemoryError", "true");
        assertThat(Long.parseLong(flags.get("MaxHeapSize"))).isBetween(64 * MIB, 8192 * MIB);
        assertThat(Long.parseLong(flags.get("MaxNewSize"))).isLessThanOrEqualTo(64 * MIB);
    }
}
