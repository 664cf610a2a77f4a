package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a replica says of the time before its process. */
class ProcessAgeTest {
    @TempDir
    Path pod;

    /** The folder is younger than this process, so nothing passed between them. */
    @Test
    void countsFromTheCreationOfTheVolumeOrOfTheMemory() throws IOException {
        Path volume = Files.createDirectory(pod.resolve("cache"));

        assertThat(ProcessAge.placeMillis(volume)).hasValue(0);
        assertThat(ProcessAge.placeMillis(pod.resolve("absent"))).hasValue(0);
        assertThat(ProcessAge.placeMillis(Path.of("/proc/absent")).orElseThrow())
                .isPositive();
    }

    @Test
    void isUnknownAfterAContainersRestart() throws IOException {
        Files.createFile(pod.resolve("file"));

        assertThat(ProcessAge.placeMillis(pod)).isEmpty();
    }
}
