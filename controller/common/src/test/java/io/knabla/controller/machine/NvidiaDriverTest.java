package io.knabla.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvidiaDriverTest {
    @TempDir
    Path folder;

    @Test
    void aMachineWithoutTheDriverHasNoText() {
        assertThat(NvidiaDriver.text(folder)).isEmpty();
    }

    @Test
    void namesDriverAndGpus() throws IOException {
        Files.writeString(
                folder.resolve("version"),
                "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (dvs)\nGCC version:  gcc 13.3\n");
        Path gpu = Files.createDirectories(folder.resolve("gpus/0000:01:00.0"));
        Files.writeString(gpu.resolve("information"), "Model: \t\t NVIDIA L4\nIRQ:   \t\t 128\n");

        assertThat(NvidiaDriver.text(folder)).isEqualTo("driver 580: NVIDIA L4");
    }
}
