package io.knabla.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir
    Path home;

    @Test
    void flagsThenEnvironmentThenFileThenDefault() throws IOException {
        var bare = Map.of("KNABLA_HOME", home.toString());
        assertThat(Settings.of(bare).server(null)).isEqualTo("http://127.0.0.1:8080");

        Files.writeString(home.resolve("config.yaml"), "server: http://file:1\nport: 9\n");
        assertThat(Settings.of(bare).server(null)).isEqualTo("http://file:1");
        assertThat(Settings.of(bare).find("port")).contains("9");

        var environment = Settings.of(Map.of("KNABLA_HOME", home.toString(), "KNABLA_SERVER", "http://env:1"));
        assertThat(environment.server(null)).isEqualTo("http://env:1");
        assertThat(environment.server("http://flag:1")).isEqualTo("http://flag:1");
    }

    @Test
    void strongestSourceDecidesBetweenContextAndServer() throws IOException {
        Files.writeString(home.resolve("config.yaml"), "context: production\n");
        var flags = new CommonOptions();
        assertThat(settings().context(flags)).contains("production");
        assertThat(settings("KNABLA_CONTEXT", "staging").context(flags)).contains("staging");
        assertThat(settings("KNABLA_SERVER", "http://localhost:8080").context(flags))
                .isEmpty();

        flags.server = "http://flag:1";
        assertThat(settings("KNABLA_CONTEXT", "staging").context(flags)).isEmpty();

        flags.server = null;
        flags.context = "flag";
        assertThat(settings("KNABLA_SERVER", "http://env:1").context(flags)).contains("flag");
    }

    @Test
    void rejectsContextAndServerInOneSource() throws IOException {
        var both = settings("KNABLA_SERVER", "http://env:1", "KNABLA_CONTEXT", "staging");
        assertThatThrownBy(() -> both.context(new CommonOptions()))
                .hasMessageContaining("KNABLA_CONTEXT and KNABLA_SERVER each name a platform")
                .extracting(failure -> ((CliFailure) failure).exitCode())
                .isEqualTo(ExitCodes.USAGE_ERROR);

        Files.writeString(home.resolve("config.yaml"), "context: production\nserver: http://f:1");
        assertThatThrownBy(() -> settings().context(new CommonOptions()))
                .hasMessageContaining(home.resolve("config.yaml").toString());
        assertThat(settings("KNABLA_CONTEXT", "staging").context(new CommonOptions()))
                .contains("staging");
    }

    private Settings settings(String... variables) {
        var environment = new HashMap<>(Map.of("KNABLA_HOME", home.toString()));
        for (int i = 0; i < variables.length; i += 2) {
            environment.put(variables[i], variables[i + 1]);
        }
        return Settings.of(environment);
    }

    @Test
    void reportsPathOfBrokenFile() throws IOException {
        Files.writeString(home.resolve("config.yaml"), "server: [");
        var settings = Settings.of(Map.of("KNABLA_HOME", home.toString()));

        assertThatThrownBy(() -> settings.server(null))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining(home.resolve("config.yaml").toString());
    }
}
