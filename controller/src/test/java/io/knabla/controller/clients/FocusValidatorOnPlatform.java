package io.knabla.controller.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The validator of the FinOps Foundation reads the FOCUS export of a platform that has run a function. */
class FocusValidatorOnPlatform {
    private static final String LAPTOP = "";
    private static final String ON_AWS = """
            billingAccount: "111122223333"
            nodes:
              - {name: a, instanceType: m7i.large, zone: use1-az1}
              - {name: b, instanceType: m7i.large, zone: use1-az2, capacity: Spot}
            """;

    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(strings = {LAPTOP, ON_AWS})
    void findsNoFault(String config) throws Exception {
        Files.writeString(home.resolve("config.yaml"), config);
        try (var targets = new ClientTargets(home, Map.of())) {
            targets.add("add-sub");
            Path export = home.resolve("focus.csv");
            URI costs = URI.create(targets.onPlatform().get("server")).resolve("/api/v1/costs?format=focus");
            // Usage is recorded soon after a replica has started.
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
                assertThat(get(costs, export)).isEqualTo(200);
                assertThat(Files.readString(export)).contains("add-sub", "node_idle");
            });

            new PythonScript("focus_export").run(Map.of("export", export.toString()));
        }
    }

    private static int get(URI address, Path file) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofFile(file))
                    .statusCode();
        }
    }
}
