package io.knabla.runtime.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    private static final String UNIT = "sha256:" + "0".repeat(64);

    @Test
    void appliesDefaults() {
        var settings = Settings.parse(
                Map.of("KNABLA_UNIT", UNIT, "KNABLA_STORE", "file:///s", "KNABLA_CACHE", "/c", "K_REVISION", ""));

        assertThat(settings.unit().value()).isEqualTo(UNIT);
        assertThat(settings.store()).isEqualTo("file:///s");
        assertThat(settings.cache()).isEqualTo(Path.of("/c"));
        assertThat(settings.address()).isEqualTo(new Settings.Address("127.0.0.1", 0, false));
        assertThat(settings.model()).isEqualTo(new Settings.Model("model", "1"));
        assertThat(settings.engine().timeout()).hasSeconds(30);
        assertThat(settings.access())
                .isEqualTo(new Settings.Access(
                        "",
                        (int) Math.min(
                                Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 2),
                        false,
                        false));
        assertThat(settings.state()).isEmpty();
    }

    @Test
    void reportsAllFaultsAtOnce() {
        assertThatThrownBy(() -> Settings.parse(Map.of("KNABLA_UNIT", "x", "PORT", "65536", "KNABLA_THREADS", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the replica's settings are wrong: KNABLA_UNIT is not a digest: 'x'")
                .hasMessageContaining("; KNABLA_STORE is not set; KNABLA_CACHE is not set; ")
                .hasMessageEndingWith("; PORT is '65536', allowed is a whole number from 0 to 65535");
    }
}
