package io.knabla.controller.home;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreAccessTest {
    private static final Map<String, String> SURROUNDINGS = Map.of(
            "AWS_SECRET_ACCESS_KEY", "secret",
            "KNABLA_S3_ENDPOINT", "http://from-environment",
            "https_proxy", "http://proxy:3128",
            "KNABLA_TOKEN", "not for others");

    @TempDir
    Path home;

    @Test
    void passesCredentialsToProcessesOnlyForABucket() {
        assertThat(store(Map.of("KNABLA_STORE", "s3://bucket"), SURROUNDINGS).forProcesses())
                .containsOnlyKeys("AWS_SECRET_ACCESS_KEY", "KNABLA_S3_ENDPOINT", "https_proxy");
        assertThat(store(Map.of("KNABLA_STORE", "file:///s"), SURROUNDINGS).forProcesses())
                .isEmpty();
    }

    @Test
    void prefersFlagsToTheEnvironment() {
        var flags = SettingNames.byVariable(Map.of(
                "knabla.s3.endpoint", "http://from-flag",
                "knabla.s3.region", "eu-central-1",
                "knabla.s3.request-timeout", "7s"));
        assertThat(store(flags, SURROUNDINGS).environment())
                .containsEntry("KNABLA_S3_ENDPOINT", "http://from-flag")
                .containsEntry("AWS_REGION", "eu-central-1")
                .containsEntry("KNABLA_S3_REQUEST_TIMEOUT", "7s");
    }

    @Test
    void flagBeatsEnvironmentBeatsFileBeatsHome() throws Exception {
        assertThat(store(Map.of(), Map.of()).location())
                .isEqualTo(home.resolve("store").toUri().toString());
        Files.writeString(
                home.resolve("config.yaml"),
                "store: s3://file/p\ns3: {endpoint: 'http://from-file', callTimeout: 9s}\n");
        StoreAccess file = store(Map.of(), Map.of());
        assertThat(file.location()).isEqualTo("s3://file/p");
        assertThat(file.environment()).containsEntry("KNABLA_S3_ENDPOINT", "http://from-file");

        StoreAccess both = store(Map.of("KNABLA_STORE", "s3://flag/p"), SURROUNDINGS);
        assertThat(both.location()).isEqualTo("s3://flag/p");
        assertThat(both.environment())
                .containsEntry("KNABLA_S3_ENDPOINT", "http://from-environment")
                .containsEntry("KNABLA_S3_CALL_TIMEOUT", "9s");
        assertThat(store(Map.of(), Map.of("KNABLA_STORE", "s3://variable")).location())
                .isEqualTo("s3://variable");
    }

    @Test
    void secretsAreNotPrinted() {
        assertThat(store(Map.of("KNABLA_STORE", "s3://bucket"), SURROUNDINGS)).hasToString("s3://bucket");
    }

    private StoreAccess store(Map<String, String> flags, Map<String, String> environment) {
        ConfigFile file = ConfigFile.read(home.resolve("config.yaml"));
        return StoreAccess.of(
                new SettingsReader(List.of(() -> flags, () -> environment, file::byVariable)), new Home(home));
    }
}
