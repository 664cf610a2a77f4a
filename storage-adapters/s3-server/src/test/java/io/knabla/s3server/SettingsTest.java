package io.knabla.s3server;

import static java.net.http.HttpResponse.BodyHandlers.discarding;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the settings of the S3 server and that it starts with them. */
class SettingsTest {
    private static final Map<String, String> GOOD = Map.of(
            "AWS_ACCESS_KEY_ID", "dev",
            "AWS_SECRET_ACCESS_KEY", "not-so-secret",
            "KNABLA_S3_BUCKETS", "knabla, other");

    @Test
    void readsTheVariablesOfItsClients() {
        assertThat(Settings.parse(GOOD))
                .isEqualTo(new Settings("dev", "not-so-secret", List.of("knabla", "other"), Path.of("/data"), 8080));
    }

    @Test
    void reportsAllFaultsAtOnce() {
        assertThatThrownBy(() -> Settings.parse(Map.of("KNABLA_S3_BUCKETS", "fine,../up", "PORT", "no")))
                .hasMessageContaining("AWS_ACCESS_KEY_ID is not set")
                .hasMessageContaining("AWS_SECRET_ACCESS_KEY is not set")
                .hasMessageContaining("KNABLA_S3_BUCKETS names '../up', allowed are 3 to 63")
                .hasMessageContaining("PORT is 'no', allowed are 0 to 65535");
    }

    @Test
    void keepsTheSecretOutOfItsText() {
        assertThat(Settings.parse(GOOD)).asString().doesNotContain("not-so-secret");
    }

    @Test
    void makesItsBucketAndListens(@TempDir Path folder) throws Exception {
        var server = Main.start(new Settings("dev", "secret", List.of("knabla"), folder.resolve("data"), 0));
        try (var socket = new Socket("127.0.0.1", server.getPort())) {
            assertThat(socket.isConnected()).isTrue();
            assertThat(folder.resolve("data/knabla")).isDirectory();
        } finally {
            server.stop();
        }
    }

    /** The files are world-readable, which S3Proxy alone would treat as public. */
    @ParameterizedTest
    @CsvSource({"/healthz, 200", "/knabla, 403", "/knabla/key, 403"})
    void rejectsUnsignedRequests(String path, int status, @TempDir Path folder) throws Exception {
        var server = Main.start(new Settings("dev", "secret", List.of("knabla"), folder, 0));
        Files.writeString(folder.resolve("knabla/key"), "content");
        var address = URI.create("http://127.0.0.1:" + server.getPort() + path);
        try (var http = HttpClient.newHttpClient()) {
            assertThat(http.send(HttpRequest.newBuilder(address).build(), discarding())
                            .statusCode())
                    .isEqualTo(status);
        } finally {
            server.stop();
        }
    }
}
