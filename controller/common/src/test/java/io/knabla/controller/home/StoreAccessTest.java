package io.knabla.controller.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
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
        assertThat(StoreAccess.of("s3://bucket", SURROUNDINGS, Map.of()).forProcesses())
                .containsOnlyKeys("AWS_SECRET_ACCESS_KEY", "KNABLA_S3_ENDPOINT", "https_proxy");
        assertThat(StoreAccess.of("file:///s", SURROUNDINGS, Map.of()).forProcesses())
                .isEmpty();
    }

    @Test
    void mapsSettingsToVariables() {
        assertThat(StoreAccess.of(
                                "s3://bucket",
                                SURROUNDINGS,
                                Map.of(
                                        "endpoint", "http://from-flag",
                                        "region", "eu-central-1",
                                        "request-timeout", "7s"))
                        .environment())
                .containsEntry("KNABLA_S3_ENDPOINT", "http://from-flag")
                .containsEntry("AWS_REGION", "eu-central-1")
                .containsEntry("KNABLA_S3_REQUEST_TIMEOUT", "7s");
    }

    @Test
    void flagBeatsEnvironmentBeatsFileBeatsHome() throws Exception {
        assertThat(place(Map.of(), Optional.empty()).location())
                .isEqualTo(home.resolve("store").toUri().toString());
        Files.writeString(
                home.resolve("config.yaml"),
                "store: s3://file/p\ns3: {endpoint: 'http://from-file', callTimeout: 9s}\n");
        StoreAccess file = place(Map.of(), Optional.empty());
        assertThat(file.location()).isEqualTo("s3://file/p");
        assertThat(file.environment()).containsEntry("KNABLA_S3_ENDPOINT", "http://from-file");

        StoreAccess both = place(SURROUNDINGS, Optional.of("s3://flag/p"));
        assertThat(both.location()).isEqualTo("s3://flag/p");
        assertThat(both.environment())
                .containsEntry("KNABLA_S3_ENDPOINT", "http://from-environment")
                .containsEntry("KNABLA_S3_CALL_TIMEOUT", "9s");
        assertThat(place(Map.of("KNABLA_STORE", "s3://variable"), Optional.empty())
                        .location())
                .isEqualTo("s3://variable");
    }

    @Test
    void secretsAreNotPrinted() {
        assertThat(StoreAccess.of("s3://bucket", SURROUNDINGS, Map.of())).hasToString("s3://bucket");
    }

    private StoreAccess place(Map<String, String> surroundings, Optional<String> flag) {
        return StoreAccess.ofCommandLine(surroundings, home, flag);
    }
}
