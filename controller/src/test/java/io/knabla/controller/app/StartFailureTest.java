package io.knabla.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.controller.config.Settings;
import io.knabla.storage.StorageException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartFailureTest {
    @Test
    void theSentenceOfTheStoreIsToldAndNotThatOfTheSystemBelow() {
        var store = new StorageException(
                StorageException.Kind.UNAVAILABLE,
                "cannot read 'a' in the store /s.",
                "Check the disk.",
                new IOException("Is a directory"));
        assertThat(StartFailure.sentence(new RuntimeException("a bean failed", store)))
                .isEqualTo("cannot read 'a' in the store /s. Check the disk.");
    }

    @Test
    void thePlaceAndTheRemedyAreToldWithTheErrorOfTheFileSystem() {
        var met = new UncheckedIOException("cannot use /home/run: make it writable", new IOException("Is a directory"));
        assertThat(StartFailure.sentence(new RuntimeException("a bean failed", met)))
                .isEqualTo("cannot use /home/run: make it writable (java.io.IOException: Is a directory)");
    }

    @Test
    void elseTheFirstCauseIsToldWithItsType() {
        assertThat(StartFailure.sentence(new RuntimeException("a bean failed", new IOException("Is a directory"))))
                .isEqualTo("java.io.IOException: Is a directory");
    }

    @Test
    void everySettingThatCannotBeReadIsNamedAsInTheFile() {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder()
                .withMapping(Settings.class)
                .withSources(new PropertiesConfigSource(
                        Map.of(
                                "knabla.home",
                                "/h",
                                "knabla.spot.node-return",
                                "soon",
                                "knabla.nodes[0].name",
                                "a",
                                "knabla.nodes[0].slots",
                                "few"),
                        "config.yaml"));

        assertThatThrownBy(config::build)
                .extracting(StartFailure::sentence)
                .asString()
                .contains(
                        "the setting nodes[0].slots is 'few'",
                        "see ./knabla explain config.nodes.slots",
                        "the setting spot.nodeReturn is 'soon'")
                .doesNotContain("SRCFG", "Exception");
    }

    @Test
    void aTimeThatCannotBeIsTold() {
        SmallRyeConfigBuilder config = new SmallRyeConfigBuilder()
                .withMapping(Settings.class)
                .withSources(new PropertiesConfigSource(
                        Map.of(
                                "knabla.home",
                                "/h",
                                "knabla.spot.hold",
                                "-5s",
                                "knabla.gc.every",
                                "0s",
                                "knabla.catalog.refresh",
                                "-1m"),
                        "config.yaml"));

        assertThatThrownBy(config::build)
                .extracting(StartFailure::sentence)
                .asString()
                .contains(
                        "the setting spot.hold is '-5s'",
                        "a time cannot be negative",
                        "the setting gc.every is '0s'",
                        "it must be longer than zero",
                        "the setting catalog.refresh is '-1m'");
    }
}
