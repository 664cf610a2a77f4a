package io.knabla.controller;

import static org.assertj.core.api.Assertions.assertThat;

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
    @TempDir Path folder;

    @AfterEach
    void forget() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith("knabla.zone"));
        System.clearProperty("knabla.port");
        System.clearProperty("knabla.nodes[0].instance-type");
    }

    private List<String> faults(Map<String, String> more) {
        var environment =
                new HashMap<>(Map.of("KNABLA_HOME", folder.toString(), "KNABLA_PORT", "0"));
        environment.putAll(more);
        return StartCheck.faults(environment);
    }

    @Test
    void aNewHomeIsFine() {
        assertThat(faults(Map.of("KNABLA_HOME", folder.resolve("new/home").toString()))).isEmpty();
        assertThat(folder.resolve("new/home/store")).isDirectory();
    }

    @Test
    void everyFaultIsToldAtOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "in the way");
        assertThat(
                        faults(
                                Map.of(
                                        "KNABLA_HOME", file.toString(),
                                        "KNABLA_HOST", "0.0.0.0",
                                        "KNABLA_PORT", "eighty")))
                .hasSize(3)
                .anyMatch(fault -> fault.contains("cannot write below " + file))
                .anyMatch(fault -> fault.contains("KNABLA_TOKEN"))
                .anyMatch(fault -> fault.contains("'eighty'"));
    }

    @Test
    void aPortInUseIsToldWithTheWayOut() throws IOException {
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
    void aStoreThatIsNoPlaceIsRefused() {
        assertThat(faults(Map.of("KNABLA_STORE", "s3://bucket/prefix")))
                .singleElement()
                .asString()
                .contains("not supported yet");
    }

    @Test
    void theFileFillsInWhatNothingElseSays() throws IOException {
        Files.writeString(
                folder.resolve("config.yaml"),
                """
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
    void unknownKeysAndBrokenFilesAreRefused() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "prt: 1\nnodes: [{nam: a}]\n");
        assertThat(ConfigFile.read(folder.resolve("config.yaml")).faults())
                .hasSize(2)
                .anyMatch(fault -> fault.contains("'prt'"))
                .anyMatch(fault -> fault.contains("'nodes[0].nam'"));
        Files.writeString(folder.resolve("config.yaml"), "port: [");
        assertThat(ConfigFile.read(folder.resolve("config.yaml")).faults()).hasSize(1);
        Files.writeString(folder.resolve("config.yaml"), "just text");
        assertThat(ConfigFile.read(folder.resolve("config.yaml")).faults()).hasSize(1);
    }
}
