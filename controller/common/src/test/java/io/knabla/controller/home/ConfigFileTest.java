package io.knabla.controller.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
    @TempDir
    Path home;

    @Test
    void aByteOrderMarkIsSkipped() throws Exception {
        Path file = home.resolve("config.yaml");
        Files.writeString(file, "\uFEFFport: 8081\n");

        assertThat(ConfigFile.read(file).values()).containsExactly(entry("port", "8081"));
    }
}
