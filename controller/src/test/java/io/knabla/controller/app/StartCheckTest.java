package io.knabla.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.home.ConfigFile;
import io.knabla.controller.home.Home;
import io.knabla.controller.home.StoreAccess;
import io.knabla.storage.s3.S3ProxyServer;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.settings.SettingsReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartCheckTest {
    @TempDir
    Path folder;

    @AfterEach
    void forget() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("knabla.zone"));
        System.clearProperty("knabla.port");
        System.clearProperty("knabla.prt");
        System.clearProperty("knabla.cluster.kind");
        System.clearProperty("knabla.store");
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("knabla.s3."));
        System.getProperties().keySet().removeIf(key -> key.toString().matches("knabla\\.(nodes|check)\\b.*"));
    }

    private List<String> faults(Map<String, String> more) {
        var environment = new HashMap<>(Map.of("KNABLA_HOME", folder.toString(), "KNABLA_PORT", "0"));
        environment.putAll(more);
        return StartCheck.faults(environment);
    }

    @Test
    void numbersOutOfTheirBoundsAreReportedAtOnceWhereverTheyStand() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), """
                check: {seconds: 0}
                nodes:
                - {name: a, slots: 4}
                - {name: b, slots: -2}
                """);

        assertThat(faults(Map.of(
                        "KNABLA_PORT", "-1",
                        "KNABLA_WARM_POOL_MAX", "-1",
                        "KNABLA_WARM_POOL_MIN", "1",
                        "KNABLA_UPLOAD_MEBIBYTES", "99999999999999",
                        "KNABLA_CLUSTER_WAKE_POOL_SPARES", "some")))
                .containsExactlyInAnyOrder(
                        "KNABLA_PORT is '-1', allowed is a whole number from 0 to 65535",
                        "KNABLA_WARM_POOL_MAX is '-1', allowed is a whole number from 0 to 1000",
                        "KNABLA_UPLOAD_MEBIBYTES is '99999999999999', allowed is a whole number from 1 to 16777216",
                        "KNABLA_CLUSTER_WAKE_POOL_SPARES is 'some', allowed is a whole number from 0 to 1000",
                        "KNABLA_CHECK_SECONDS is '0', allowed is a whole number from 1 to 86400",
                        "KNABLA_NODES_1__SLOTS is '-2', allowed is a whole number from 1 to 100000");
    }

    @Test
    void acceptsANewHome() {
        assertThat(faults(Map.of("KNABLA_HOME", folder.resolve("new/home").toString())))
                .isEmpty();
        assertThat(folder.resolve("new/home/store")).isDirectory();
    }

    @Test
    void reportsEveryFaultAtOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "in the way");
        assertThat(faults(Map.of(
                        "KNABLA_HOME", file.toString(),
                        "KNABLA_HOST", "0.0.0.0",
                        "KNABLA_PORT", "eighty")))
                .hasSize(3)
                .anyMatch(fault -> fault.contains("cannot write below %s: %s is a file".formatted(file, file)))
                .anyMatch(fault -> fault.contains("KNABLA_TOKEN"))
                .anyMatch(fault -> fault.contains("'eighty'"));
    }

    @Test
    void aRefusedStartLeavesNoFolder() {
        Path home = folder.resolve("never");

        assertThat(faults(Map.of("KNABLA_HOME", home.toString(), "KNABLA_PORT", "eighty")))
                .hasSize(1);
        assertThat(home).doesNotExist();
    }

    @Test
    void reportsAPortInUseWithTheRemedy() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            assertThat(faults(Map.of("KNABLA_PORT", port)))
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1:" + port)
                    .contains("--port");
        }
    }

    @Test
    void rejectsAnInvalidStoreLocation() {
        assertThat(faults(Map.of("KNABLA_STORE", "ftp://bucket/prefix")))
                .singleElement()
                .asString()
                .contains("'ftp://bucket/prefix' is not a place");
    }

    @Test
    void checksThatTheBucketAnswers() throws IOException {
        try (S3Server server = S3ProxyServer.start(Files.createDirectory(folder.resolve("s3")))) {
            var settings = new HashMap<>(server.environment());
            settings.put("KNABLA_STORE", "s3://" + server.newBucket() + "/prefix");
            assertThat(faults(settings)).isEmpty();

            settings.put("KNABLA_STORE", "s3://no-such-bucket");
            assertThat(faults(settings)).singleElement().asString().contains("no-such-bucket");

            settings.put("KNABLA_S3_ENCRYPTION", "rot13");
            assertThat(faults(settings)).singleElement().asString().contains("rot13");
        }
    }

    @Test
    void readsBucketSettingsFromTheFile() throws IOException {
        try (S3Server server = S3ProxyServer.start(Files.createDirectory(folder.resolve("s3")))) {
            var settings = new HashMap<>(server.environment());
            settings.remove("KNABLA_S3_ENDPOINT");
            Files.writeString(
                    folder.resolve("config.yaml"),
                    "store: s3://%s\ns3: {endpoint: '%s', connectTimeout: 2s}\n"
                            .formatted(server.newBucket(), server.endpoint()));
            assertThat(faults(settings)).isEmpty();
            StoreAccess seen = StoreAccess.of(
                    new SettingsReader(
                            List.of(() -> settings, ConfigFile.read(folder.resolve("config.yaml"))::byVariable)),
                    new Home(folder));
            assertThat(seen.location()).startsWith("s3://test-");
            assertThat(seen.environment())
                    .containsEntry("KNABLA_S3_ENDPOINT", server.endpoint().toString())
                    .containsEntry("KNABLA_S3_CONNECT_TIMEOUT", "2s")
                    .containsEntry("AWS_REGION", "us-east-1");
            assertThat(seen.toString()).doesNotContain(server.secretKey());
        }
    }

    @Test
    void refusesOriginsThatAreNone() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "origins: ['https://a.example', '*', 'b.example/path']\n");
        assertThat(faults(Map.of())).hasSize(2).allMatch(fault -> fault.startsWith("origins: '"));
        System.clearProperty("knabla.origins[0]");
        System.clearProperty("knabla.origins[1]");
        System.clearProperty("knabla.origins[2]");
        Files.delete(folder.resolve("config.yaml"));
        assertThat(faults(Map.of("KNABLA_ORIGINS", "http://localhost:3000,null")))
                .singleElement()
                .asString()
                .contains("'null' is no origin");
    }

    @Test
    void usesTheFileOnlyForUnsetSettings() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), """
                port: 1
                server: http://127.0.0.1:8080
                nodes:
                  - {name: a, instanceType: m7i.large}
                """);
        assertThat(faults(Map.of())).isEmpty();
        assertThat(System.getProperty("knabla.nodes[0].instance-type")).isEqualTo("m7i.large");
        assertThat(System.getProperty("knabla.port")).isNull();
        System.clearProperty("knabla.nodes[0].name");
    }

    @Test
    void reportsFaultsOfTheFileAndOfSettingsTogether() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "prt: 1\nport: nine\ncluster: {kind: Nomad}\n");
        assertThat(faults(Map.of("KNABLA_PORT", " ")))
                .satisfiesExactly(
                        key -> assertThat(key).contains("unknown key 'prt'"),
                        kind -> assertThat(kind).startsWith("KNABLA_CLUSTER_KIND is 'Nomad'; allowed are"),
                        port -> assertThat(port)
                                .isEqualTo("KNABLA_PORT is 'nine', allowed is a whole number from 0 to 65535"));
    }

    @Test
    void reportsABrokenFile() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "port: [");
        assertThat(faults(Map.of())).singleElement().asString().contains("config.yaml: it is not YAML");
    }

    @Test
    void leavesKeysOfTheCommandLineAndEmptyOnesToOthers() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "server: http://127.0.0.1:1\ntoken: ''\nhost:\n");
        assertThat(faults(Map.of())).isEmpty();
        assertThat(System.getProperty("knabla.server")).isNull();
        assertThat(System.getProperty("knabla.token")).isNull();
        assertThat(System.getProperty("knabla.host")).isNull();
    }
}
