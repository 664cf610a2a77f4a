package io.knabla.controller.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.kill.PlatformProcess;
import io.knabla.controller.training.FunctionClient;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Homes that older builds wrote, under this build. */
class OlderHomeIT {
    private static final int REQUESTS = 14;
    private static final int STEPS = 3;
    private static final String SUM = "add-sub";
    private static final String TRAINING = "digits-training";

    @TempDir
    Path home;

    private void copy(String commit) throws IOException, URISyntaxException {
        Path written = Path.of(getClass().getResource(commit).toURI());
        try (Stream<Path> files = Files.walk(written).filter(Files::isRegularFile)) {
            for (Path file : files.toList()) {
                Path copy = home.resolve(written.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    /**
     * The home of commit ea8cc530 (2026-11-26), its clock three days back, then two: {@code add-sub} in two versions,
     * which answered 14 requests, and {@code digits-training} after three steps.
     */
    @Test
    void isUsedOn() throws IOException, URISyntaxException {
        copy("ea8cc530");
        try (var platform = PlatformProcess.start(home)) {
            var client = new FunctionClient(platform.address());
            describes(client);
            calls(client);
            reports(client);
            deploys(client);
        }
        try (var again = PlatformProcess.start(home)) {
            var client = new FunctionClient(again.address());
            assertThat(step(client)).as("trained on").isEqualTo(STEPS + 2);
        }
        assertThat(home.resolve("controller.log"))
                .as("what keep-warm and the spot policies learned then is read")
                .content()
                .doesNotContain("starts without history", "start without experience");
    }

    /**
     * The home of commit c1158aca (2026-11-29), its clock three days back, then one: {@code writer} wrote four texts of
     * 20 tokens, {@code mixed} lost a spot node, and the ledger merged the first day.
     */
    @Test
    void withTextsAndSpotNodesIsUsedOn() throws IOException, URISyntaxException {
        copy("c1158aca");
        try (var platform = PlatformProcess.start(home)) {
            var client = new FunctionClient(platform.address());
            assertThat(items(client, "/api/v1/costs/damages")).isEmpty();
            JsonNode report = client.get("/api/v1/costs?from=2026-11-26&to=2026-11-30&by=function");
            assertThat(report.path("rows"))
                    .extracting(row -> row.path("group").asText() + " "
                            + row.at("/requests/ok").asInt())
                    .contains("default/mixed 35", "default/writer 4");
            assertThat(report.findValue("generated").asLong())
                    .as(report.toString())
                    .isEqualTo(80);
            assertThat(writes(client)).as("the seed's text of then").isEqualTo("dPh2,~zyD{;%=hl~[,~5");
            client.knabla("describe", "mixed");
        }
        assertThat(home.resolve("controller.log")).content().doesNotContain("without experience", "without history");
    }

    private static String writes(FunctionClient client) {
        String request = """
                {"model": "writer", "prompt": "Shall I ", "max_tokens": 20, "seed": 7, "temperature": 0.7}""";
        return FunctionClient.good(client.post("/v1/completions", request))
                .at("/choices/0/text")
                .asText();
    }

    private static List<JsonNode> items(FunctionClient client, String path) {
        JsonNode items = client.get(path).path("items");
        return StreamSupport.stream(items.spliterator(), false).toList();
    }

    private static void describes(FunctionClient client) {
        assertThat(items(client, "/api/v1/functions"))
                .extracting(function -> function.path("name").asText())
                .containsExactly(SUM, TRAINING);
        assertThat(items(client, "/api/v1/functions/default/" + SUM + "/versions"))
                .extracting(version -> version.path("version").asInt() + ": "
                        + version.path("traffic").asInt() + " %")
                .containsExactlyInAnyOrder("1: 40 %", "2: 60 %");
        JsonNode training = client.get("/api/v1/functions/default/" + TRAINING);
        assertThat(training.at("/spec/gradient/optimizer/type").asText()).isEqualTo("Adam");
        assertThat(training.at("/analysis/flops").isMissingNode())
                .as(training.toString())
                .isFalse();
        client.knabla("describe", SUM);
    }

    private static void calls(FunctionClient client) throws IOException {
        Path sample = FunctionClient.SAMPLES.resolve(SUM);
        JsonNode answer = client.infer(SUM, Files.readString(sample.resolve("request.json")));
        JsonNode expected =
                new ObjectMapper().readTree(sample.resolve("expected.json").toFile());
        assertThat(FunctionClient.numbers(FunctionClient.output(answer, "OUTPUT0")))
                .isEqualTo(FunctionClient.numbers(FunctionClient.output(expected, "OUTPUT0")));
        assertThat(step(client)).as("the weights of then are trained on").isEqualTo(STEPS + 1);
    }

    private static int step(FunctionClient client) throws IOException {
        String request =
                Files.readString(FunctionClient.SAMPLES.resolve(TRAINING).resolve("request.json"));
        return (int) FunctionClient.numbers(FunctionClient.output(client.infer(TRAINING, request), "step"))[0];
    }

    private static void reports(FunctionClient client) {
        assertThat(items(client, "/api/v1/costs/damages")).isEmpty();
        JsonNode rows = client.get("/api/v1/costs?from=2026-11-20&to=2026-11-27&by=function")
                .path("rows");
        assertThat(rows)
                .extracting(row -> row.path("group").asText() + " "
                        + row.at("/requests/ok").asInt())
                .contains("default/" + SUM + " " + REQUESTS, "default/" + TRAINING + " " + STEPS);
        assertThat(rows)
                .allSatisfy(row -> assertThat(
                                row.at("/otherScenarios/allOnDemand/usd").asDouble())
                        .as(row.toString())
                        .isPositive());
    }

    private static void deploys(FunctionClient client) {
        client.deploySample(SUM);
        assertThat(items(client, "/api/v1/functions/default/" + SUM + "/versions"))
                .hasSize(3);
    }
}
