package io.knabla.controller.simulate.verbs;

import static io.knabla.controller.simulate.verbs.Calls.knabla;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.knabla.controller.cli.CommandResult;
import io.knabla.controller.simulate.spot.Baselines;
import io.knabla.controller.simulate.spot.SimulatedPlatform;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./knabla simulate spot --platform} on a trace of one zone that is lost for half an hour. */
class SimulateSpotPlatformTest {
    @TempDir
    Path folder;

    private String trace;

    @BeforeEach
    void writeTrace() throws IOException {
        trace = folder.resolve("zones.csv").toString();
        Files.writeString(Path.of(trace), "time,zone,available\n0,a,4\n3600,a,0\n5400,a,4\n10800,a,4\n");
    }

    private CommandResult simulate(String... more) {
        List<String> args =
                new ArrayList<>(List.of("simulate", "spot", "--trace", trace, "--seeds", "1", "-o", "json"));
        args.addAll(List.of(more));
        return knabla(args.toArray(String[]::new));
    }

    private JsonNode rows(String... more) throws JsonProcessingException {
        CommandResult result = simulate(more);
        assertThat(result.status()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out()).path("rows");
    }

    @Test
    void plansTakeEffectAtOnceByDefault() throws JsonProcessingException {
        assertThat(rows()).isEqualTo(rows("--platform", "None", "--tick", "30s"));
    }

    @Test
    void aPlatformCarriesThePlansOfItsOwnPoliciesOut() throws JsonProcessingException {
        JsonNode cluster = rows("--platform", "Cluster");

        assertThat(cluster.findValuesAsText("policy"))
                .contains("Adaptive", "SpotHedge")
                .doesNotContain("Omniscient", "StaticMix:Fallback");
        assertThat(cluster).isNotEqualTo(rows("--platform", "Laptop"));
    }

    @Test
    void aPolicyThatNoFunctionCanChooseIsTold() {
        CommandResult result = simulate("--policy", "Omniscient", "--platform", "Laptop");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("Omniscient is none that a function can choose", "--platform None");
    }

    @Test
    void everyPolicyOfFunctionsRunsOnAPlatform() {
        assertThat(SpotPolicyName.values())
                .allMatch(policy -> Baselines.runsOn(SimulatedPlatform.Cluster, policy.name()));
    }

    @Test
    void timesOfZeroAreToldByOption() {
        CommandResult result = simulate("--tick", "0s", "--timeout", "0s", "--service", "0ms");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err())
                .contains("--tick must be more than 0, but is 0s", "--timeout must", "--service must", "is 0ms");
    }
}
