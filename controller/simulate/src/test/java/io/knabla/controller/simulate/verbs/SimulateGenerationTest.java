package io.knabla.controller.simulate.verbs;

import static io.knabla.controller.simulate.verbs.Calls.knabla;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cli.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateGenerationTest {
    @TempDir
    Path folder;

    private Path trace(String text) throws IOException {
        return Files.writeString(folder.resolve("requests.csv"), text);
    }

    private static JsonNode rows(String... args) throws JsonProcessingException {
        CommandResult result = knabla(args);
        assertThat(result.status()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out()).path("rows");
    }

    @Test
    void aRowForEachPolicyAndObjective() throws JsonProcessingException {
        JsonNode rows = rows(
                "simulate",
                "generation",
                "--requests",
                "100",
                "--tpot",
                "30ms,50ms",
                "--policy",
                "Fixed:512,Objective",
                "-o",
                "json");

        assertThat(rows.findValuesAsText("policy")).containsExactly("Fixed:512", "Objective", "Fixed:512", "Objective");
        assertThat(rows.findValuesAsText("trace")).containsOnly("azure-code");
        assertThat(rows.findValuesAsText("tpotSeconds")).containsExactly("0.03", "0.03", "0.05", "0.05");
        assertThat(rows)
                .allMatch(row -> row.path("goodput").asDouble() > 0
                        && row.path("attained").asDouble() >= 0.9);
    }

    @Test
    void aRateIsNotSearchedFor() throws IOException {
        String file =
                trace("time,prompt,generated\n0,100,5\n1,200,5\n3,100,1\n").toString();

        JsonNode rows = rows(
                "simulate",
                "generation",
                "--trace",
                file,
                "--arrivals",
                "trace",
                "--rate",
                "0.5",
                "--policy",
                "Whole",
                "-o",
                "json");

        assertThat(rows.path(0).path("goodput").isNull()).isTrue();
        assertThat(rows.path(0).path("attained").asDouble()).isEqualTo(1);
        assertThat(rows.path(0).path("trace").asText()).isEqualTo("requests.csv");
    }

    @Test
    void theTableNamesPoliciesAndGoodput() {
        CommandResult result =
                knabla("simulate", "generation", "--requests", "50", "--policy", "Split:1+1", "--replicas", "2");

        assertThat(result.out()).contains("GOODPUT", "SMOOTH", "Split:1+1", "50.0 ms");
    }

    @ParameterizedTest
    @CsvSource({
        "--policy Sometimes, --policy is 'Sometimes'",
        "--policy Fixed:3, --policy is 'Fixed:3'",
        "--policy Split:2+2, multiple of its replicas",
        "--ttft 0s, --ttft is '0s'",
        "--tpot soon, --tpot is 'soon'",
        "--costs 1|2|3, four numbers of microseconds",
        "--rate 0, --rate must be more than 0",
        "--requests 1, --requests must be 2 at least",
        "--replicas 0, --replicas must be from 1 to 1000",
        "--sequences 0, --sequences must be 1 at least",
        "--memory-tokens 9, --memory-tokens must be 1000 at least",
        "--queue 0, --queue must be 1 at least",
        "--transfer -1, --transfer must be from 0"
    })
    void wrongUseIsToldByOption(String options, String fault) {
        CommandResult result = knabla(("simulate generation " + options.replace('|', ',')).split(" "));

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(fault);
    }

    @Test
    void allFaultsOfATraceAreTold() throws IOException {
        String file =
                trace("time,prompt,generated\n0,0,5\n1,ten,5\n3,100,1.5\n").toString();

        CommandResult result = knabla("simulate", "generation", "--trace", file);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("line 2: prompt is '0'", "line 3: prompt is 'ten'", "line 4: generated is '1.5'");
    }

    @Test
    void anotherFormatIsToldWithThoseThatAreRead() throws IOException {
        CommandResult result =
                knabla("simulate", "generation", "--trace", trace("a,b\n1,2\n").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("time,prompt,generated", "TIMESTAMP,ContextTokens,GeneratedTokens");
    }

    @Test
    void aTraceOfOneRequestIsTooShort() throws IOException {
        CommandResult result = knabla(
                "simulate",
                "generation",
                "--trace",
                trace("time,prompt,generated\n0,1,5\n").toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("the trace has 1 requests");
    }
}
