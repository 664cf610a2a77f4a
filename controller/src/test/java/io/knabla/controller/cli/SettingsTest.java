package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir Path home;

    @Test
    void flagsBeatEnvironmentBeatsFileBeatsDefault() throws IOException {
        var bare = Map.of("KNABLA_HOME", home.toString());
        assertThat(Settings.of(bare).server(null)).isEqualTo("http://127.0.0.1:8080");

        Files.writeString(home.resolve("config.yaml"), "server: http://file:1\nport: 9\n");
        assertThat(Settings.of(bare).server(null)).isEqualTo("http://file:1");
        assertThat(Settings.of(bare).find("port")).contains("9");

        var environment =
                Settings.of(
                        Map.of("KNABLA_HOME", home.toString(), "KNABLA_SERVER", "http://env:1"));
        assertThat(environment.server(null)).isEqualTo("http://env:1");
        assertThat(environment.server("http://flag:1")).isEqualTo("http://flag:1");
    }

    @Test
    void aBrokenFileIsToldWithItsPath() throws IOException {
        Files.writeString(home.resolve("config.yaml"), "server: [");
        var settings = Settings.of(Map.of("KNABLA_HOME", home.toString()));

        assertThatThrownBy(() -> settings.server(null))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining(home.resolve("config.yaml").toString());
    }
}
