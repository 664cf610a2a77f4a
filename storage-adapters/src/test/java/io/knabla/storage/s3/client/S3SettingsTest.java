package io.knabla.storage.s3.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/** Tests defaults, values and faults of the S3 settings. */
class S3SettingsTest {
    @Test
    void defaultsToTheSdk() {
        assertThat(S3Settings.of(Map.of("KNABLA_S3_CA", " ", "AWS_REGION", "")))
                .isEqualTo(new S3Settings(
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Encryption.NONE,
                        new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2), 6),
                        new Identity(Optional.empty(), Optional.empty())));
    }

    @Test
    void readsAllSettings() {
        S3Settings settings = S3Settings.of(Map.of(
                "KNABLA_S3_ENDPOINT", "https://s3.example.com:9000",
                "AWS_REGION", "eu-central-1",
                "KNABLA_S3_ENCRYPTION", "aws:kms:alias/mine",
                "KNABLA_S3_REQUEST_TIMEOUT", "500ms",
                "KNABLA_S3_CALL_TIMEOUT", "3m",
                "KNABLA_S3_ATTEMPTS", "2",
                "AWS_ACCESS_KEY_ID", "id",
                "AWS_SECRET_ACCESS_KEY", "secret",
                "AWS_SESSION_TOKEN", "token"));

        assertThat(settings.endpoint()).contains(URI.create("https://s3.example.com:9000"));
        assertThat(settings.region()).contains("eu-central-1");
        assertThat(settings.pathStyle()).isTrue();
        assertThat(settings.encryption())
                .isEqualTo(new Encryption(Optional.of(ServerSideEncryption.AWS_KMS), Optional.of("alias/mine")));
        assertThat(settings.timeouts())
                .isEqualTo(new Timeouts(Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofMinutes(3), 2));
        assertThat(settings.identity().keys()).contains(new AccessKeys("id", "secret", Optional.of("token")));
    }

    @ParameterizedTest
    @CsvSource({
        "KNABLA_S3_ENDPOINT,    http://h:1, auto,    true",
        "AWS_ENDPOINT_URL_S3,   http://h:1, auto,    true",
        "AWS_ENDPOINT_URL,      http://h:1, virtual, false",
        "UNKNOWN,               http://h:1, auto,    false",
        "UNKNOWN,               http://h:1, path,    true",
    })
    void selectsTheAddressingStyle(String name, String endpoint, String addressing, boolean pathStyle) {
        S3Settings settings = S3Settings.of(Map.of(name, endpoint, "KNABLA_S3_ADDRESSING", addressing));

        assertThat(settings.endpoint().isPresent()).isEqualTo(!name.equals("UNKNOWN"));
        assertThat(settings.pathStyle()).isEqualTo(pathStyle);
        assertThat(settings.region().isPresent()).isEqualTo(!name.equals("UNKNOWN"));
    }

    @Test
    void reportsAllFaultsAtOnce() {
        Map<String, String> wrong = Map.of(
                "KNABLA_S3_ENDPOINT", "s3.example.com",
                "KNABLA_S3_ADDRESSING", "both",
                "KNABLA_S3_CA", "/no/such/file.pem",
                "KNABLA_S3_ENCRYPTION", "aws:kms:",
                "KNABLA_S3_REQUEST_TIMEOUT", "30",
                "KNABLA_S3_ATTEMPTS", "0",
                "AWS_ACCESS_KEY_ID", "id");

        assertThatThrownBy(() -> S3Settings.of(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the settings of S3 cannot be used: ")
                .hasMessageContaining(
                        "KNABLA_S3_ENDPOINT is 's3.example.com', allowed is an address such as https://s3.example.com")
                .hasMessageContaining("KNABLA_S3_ADDRESSING is 'both', allowed is one of auto, path, virtual")
                .hasMessageContaining("KNABLA_S3_CA is '/no/such/file.pem', allowed is a file that can be read")
                .hasMessageContaining(
                        "KNABLA_S3_ENCRYPTION is 'aws:kms:', allowed is none, AES256, aws:kms or aws:kms:KEY")
                .hasMessageContaining("KNABLA_S3_REQUEST_TIMEOUT is '30', allowed is a whole number > 0 with its unit")
                .hasMessageContaining("KNABLA_S3_ATTEMPTS is '0', allowed is a whole number from 1 to 20")
                .hasMessageContaining("AWS_SECRET_ACCESS_KEY is not; set both");
    }
}
