package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests limits and unusual syntax of whole documents. */
class DocumentParserTest {
    private static final String GOOD = FunctionYamlTest.HEAD + "spec: {model: m}\n";

    @ParameterizedTest
    @CsvSource({"1048576, true", "1048577, false"})
    void boundsTheLengthOfADocument(int length, boolean allowed) {
        String text = GOOD + "#" + "x".repeat(length - GOOD.length() - 1);
        assertThat(FunctionYaml.parse(text) instanceof Parsed.Valid).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({"20, true", "21, false"})
    void collectionsMayBeAliasedTwentyTimes(int aliases, boolean allowed) {
        String annotations = IntStream.range(0, aliases)
                .mapToObj(i -> "  a" + i + ": *shared\n")
                .collect(Collectors.joining());
        List<Fault> faults = FunctionYamlTest.faults(GOOD + "extra:\n  a: &shared {b: c}\n" + annotations);
        // Allowed aliases are read, so the only fault is the unknown key.
        assertThat(faults.getFirst().message())
                .startsWith(allowed ? "unknown key 'extra'" : "not YAML: Number of aliases")
                .contains(allowed ? "" : "max=20");
    }

    @Test
    void anAliasInItsOwnListIsOneFault() {
        assertThat(FunctionYamlTest.faults(GOOD.replace("{model: m}", "{model: m, traffic: &t [*t]}")))
                .extracting(Fault::path)
                .containsOnly("spec.traffic[0]");
    }

    @Test
    void keysMustBeScalars() {
        assertThat(FunctionYamlTest.faults(GOOD + "? [a, b]\n: c\n"))
                .containsExactly(new Fault("", "line 5, column 3: a key must be a word, not a list or a mapping"));
    }

    @Test
    void tagsOnListsAreRefused() {
        assertThat(FunctionYamlTest.faults(GOOD.replace("{model: m}", "{model: m, traffic: !x []}")))
                .containsExactly(new Fault(
                        "spec.traffic", "line 4, column 27: found the tag !x; remove it, no tags are allowed"));
    }

    @Test
    void aSyntaxErrorHasContextAndProblem() {
        assertThat(FunctionYamlTest.faults("a: [b, c"))
                .containsExactly(
                        new Fault(
                                "",
                                "line 1, column 9: not YAML: while parsing a flow sequence, expected ',' or ']', but got <stream end>"));
    }

    @Test
    void aSyntaxErrorWithoutContextHasAProblem() {
        assertThat(FunctionYamlTest.faults("a: *b").getFirst().message())
                .isEqualTo("line 1, column 4: not YAML: found undefined alias b");
    }

    @Test
    void refusesTextAfterJson() {
        String json = FunctionYaml.toJson(FunctionYamlTest.valid(GOOD)).toString();
        assertThat(FunctionYamlTest.valid(json)).isNotNull();
        assertThat(FunctionYamlTest.faults(json + "{}").getFirst().message()).contains("not YAML");
        assertThat(FunctionYamlTest.faults(json.substring(0, json.length() - 1)))
                .isNotEmpty();
    }

    @Test
    void namesThatLookLikeNumbersAreQuoted() {
        String digest = "sha256:" + "0".repeat(64);
        FunctionResource resource = FunctionYamlTest.valid(GOOD.replace(
                "{model: m}",
                "{model: m, externalData: {'1e3': DIGEST, plain: DIGEST, '12': DIGEST}}".replace("DIGEST", digest)));

        assertThat(resource.spec().externalData()).isEqualTo(Map.of("1e3", digest, "plain", digest, "12", digest));
        assertThat(FunctionYaml.write(resource)).contains("    \"12\": ", "    \"1e3\": ", "    plain: ");
    }

    @Test
    void theSpecAloneIsPartOfTheWhole() {
        FunctionResource resource = FunctionYamlTest.valid(GOOD);
        assertThat(FunctionYaml.specToJson(resource.spec()))
                .isEqualTo(FunctionYaml.toJson(resource).get("spec"))
                .isNotEmpty();
    }

    /** Includes features that are not supported yet, because a catalog may contain them. */
    @Test
    void writesEveryField() throws java.io.IOException {
        String spec = """
                {"type": "TrainingStep", "model": "m",
                 "externalData": {"w": "D"},
                 "gradient": {"loss": {"output": "y", "function": "SoftmaxCrossEntropy", "target": "t",
                     "reduction": "Sum", "targetForm": "Labels", "labelSmoothing": 0.1,
                     "ignoreIndex": -100, "axis": -1, "classWeights": [0.5, 2.0]},
                   "withRespectTo": ["fc.*", "w"], "unreachable": "Zero",
                   "optimizer": {"type": "Adam", "learningRate": 0.5, "beta1": 0.8, "beta2": 0.9,
                     "epsilon": 0.1, "weightDecay": 0.2,
                     "schedule": {"type": "Cosine", "warmupSteps": 3, "totalSteps": 9,
                       "finalFactor": 0.5},
                     "clip": {"norm": 2.0}, "accumulate": 4},
                   "memory": {"strategy": "Recompute", "maxBytes": "1Gi"}},
                 "resources": {"cpu": "500m", "memory": "512Mi", "gpu": 1},
                 "placement": {"pool": "gpu", "capacity": "OnDemand", "onDemandBase": 1, "policy": "Adaptive"},
                 "scaling": {"min": 1, "max": 1, "concurrency": 3, "targetUtilization": 0.25, "idleAfter": "5m"},
                 "keepWarm": {"policy": "Fixed", "idleTimeout": "20m", "coldStartCost": 0.25,
                   "schedule": [{"cron": "0 8 * * 1-5", "timezone": "Europe/Berlin", "duration": "10h", "min": 1}]},
                 "batching": {"maxSize": 1, "maxDelay": "3ms"},
                 "timeout": "9s",
                 "traffic": [{"version": 2, "percent": 40}, {"version": 1, "percent": 60}]}
                """.replace("\"D\"", "\"sha256:" + "0".repeat(64) + "\"");
        var mapper = new com.fasterxml.jackson.databind.ObjectMapper();
        var document = mapper.createObjectNode()
                .put("apiVersion", "knabla.dev/v1alpha1")
                .put("kind", "Function");
        document.putObject("metadata").put("name", "a").put("namespace", "n");
        document.set("spec", mapper.readTree(spec));

        assertThat(FunctionYaml.toJson(FunctionYaml.fromJson(document)).toPrettyString())
                .isEqualTo(document.toPrettyString());
    }
}
