package io.knabla.controller.simulate.verbs;

import static io.knabla.controller.simulate.verbs.Calls.knabla;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cli.CommandResult;
import io.knabla.controller.cli.FakePlatform;
import io.knabla.controller.cli.FakePlatform.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./knabla simulate warm} on a small trace. */
class SimulateWarmTest {
    @TempDir
    Path folder;

    private String trace;

    @BeforeEach
    void writeTrace() throws IOException {
        trace = folder.resolve("requests.csv").toString();
        Files.writeString(Path.of(trace), "time,function,duration\n0,f,1\n100,f,1\n2000,f,1\n2500,f,1\n");
    }

    private JsonNode rows(String... more) throws JsonProcessingException {
        String[] args = new String[more.length + 6];
        System.arraycopy(new String[] {"simulate", "warm", "--trace", trace, "-o", "json"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        CommandResult result = knabla(args);
        assertThat(result.status()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out()).path("rows");
    }

    @Test
    void comparesPoliciesInTheOrderGiven() throws JsonProcessingException {
        JsonNode rows = rows("--policy", "Never,Fixed,Always", "--replica-memory", "1G");

        assertThat(rows.findValuesAsText("policy")).containsExactly("Never", "Fixed", "Always");
        assertThat(rows.findValuesAsText("trace")).containsOnly("requests.csv");
        assertThat(rows.findValuesAsText("coldRate")).containsExactly("1.0", "0.5", "0.25");
        assertThat(rows.findValuesAsText("coldRateP75")).containsExactly("1.0", "0.5", "0.25");
        // Fixed: 99 s, 600 s and 499 s; Always: all but four seconds.
        assertThat(rows.findValuesAsText("wastedGbSeconds")).containsExactly("0.0", "1198.0", "2497.0");
    }

    @Test
    void replaysOnThePlatform() throws JsonProcessingException {
        JsonNode rows = rows("--policy", "Never,Fixed", "--platform", "Cluster", "--idle-after", "200s");

        // A replica stays 200 s without requests, whatever the policy says.
        assertThat(rows.findValuesAsText("coldRate")).containsExactly("0.75", "0.5");
        assertThat(rows("--platform", "Laptop").findValuesAsText("policy"))
                .contains("Adaptive", "Omniscient")
                .doesNotContain("RainbowCake");
    }

    @Test
    void aPolicyThatThePlatformCannotActOnIsTold() {
        CommandResult result =
                knabla("simulate", "warm", "--trace", trace, "--policy", "RainbowCake", "--platform", "Cluster");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("keeps layers of replicas", "--platform None");
    }

    @Test
    void allPoliciesAreComparedByDefault() throws JsonProcessingException {
        assertThat(rows().findValuesAsText("policy"))
                .contains("Never", "Always", "Fixed", "Hybrid", "LSTH", "GreedyDual", "SPES", "Timer", "RainbowCake")
                .contains("Adaptive");
    }

    @Test
    void aCurveHasARowForEachValue() throws JsonProcessingException {
        assertThat(rows("--policy", "Fixed", "--curve").findValuesAsText("value"))
                .contains("1.0", "10.0", "60.0");
    }

    @Test
    void curvesAreComparedAtEqualWasteAndDrawn() throws IOException {
        Path page = folder.resolve("warm.html");
        Path picture = folder.resolve("warm.png");
        CommandResult result = knabla(
                "simulate",
                "warm",
                "--trace",
                trace,
                "--policy",
                "Adaptive,Fixed",
                "--html",
                page.toString(),
                "--png",
                picture.toString());

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).contains("at equal wasted memory", "WORST RATIO");
        assertThat(page).content().contains("\"other\":\"Fixed\"");
        assertThat(picture).isNotEmptyFile();
    }

    @Test
    void aTableIsPrintedForPeople() {
        CommandResult result = knabla("simulate", "warm", "--trace", trace, "--policy", "fixed");

        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("POLICY", "Fixed", "10.0 minutes", "50.000 %");
    }

    @Test
    void badRowsAreAllTold() throws IOException {
        Files.writeString(Path.of(trace), "time,function,duration\nx,f,1\n1,f,-2\n");
        CommandResult result = knabla("simulate", "warm", "--trace", trace);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("line 2: time is 'x'", "line 3: duration is '-2'");
    }

    @ParameterizedTest
    @CsvSource({
        "--policy, Sometimes, Adaptive",
        "--memory, much, 512Mi",
        "--replica-memory, 0, 512Mi",
        "--seeds, 0, from 1 to 1000",
        "--concurrency, 0, at least 1",
        "--train, long, 24h",
        "--spread, -1, from 0 to 3"
    })
    void wrongUseIsToldWhatIsAllowed(String option, String value, String allowed) {
        CommandResult result = knabla("simulate", "warm", "--trace", trace, option, value);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(option, allowed);
    }

    @Test
    void aMissingFileIsTold() {
        CommandResult result = knabla("simulate", "warm", "--trace", "nowhere.csv");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("nowhere.csv", "--trace generated");
    }

    @Test
    void replaysThePlatformsOwnRequests() {
        try (var platform = new FakePlatform()) {
            platform.on(
                    "POST /api/v1/costs/sql?from=7d&tz=UTC",
                    Reply.ok(
                            "{\"columns\": [\"f\", \"m\"], \"rows\": [[\"default\", \"f\", 100, 1, 1000], [\"default\", \"f\", 200, 1, 1000]], \"cut\": false}"));
            CommandResult result = knabla(
                    "simulate",
                    "warm",
                    "--from-ledger",
                    "--from",
                    "7d",
                    "--tz",
                    "UTC",
                    "--policy",
                    "Never,Always",
                    "--server",
                    platform.url(),
                    "-o",
                    "json");

            assertThat(result.err()).contains("replaying ledger under Never");
            assertThat(result.out()).contains("\"coldRate\" : 1.0", "\"coldRate\" : 0.5");
        }
    }

    @Test
    void theParentTellsWhatToWrite() {
        CommandResult result = knabla("simulate");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("./knabla simulate spot, warm or generation");
    }
}
