package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.Parsed.Invalid;
import io.knabla.functions.spec.Parsed.Valid;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests whole documents: the resources of valid ones and the faults of invalid ones. For single fields see
 * {@link FieldsTest}.
 */
class FunctionYamlTest {
    static final String HEAD = """
            apiVersion: knabla.dev/v1alpha1
            kind: Function
            metadata: {name: digits}
            """;

    @Test
    void theShortestFunctionHasEveryDefault() {
        FunctionResource resource = valid(HEAD + "spec: {model: digits.onnx}");

        assertThat(resource)
                .isEqualTo(new FunctionResource("default", "digits", FunctionDefaults.inference("digits.onnx")));
    }

    @Test
    void aByteOrderMarkAndNullsChangeNothing() {
        FunctionResource resource = valid(HEAD + "spec: {model: digits.onnx}");

        assertThat(valid("\uFEFF" + HEAD + "spec: {model: digits.onnx, scaling: null, placement: {pool: null}}"))
                .isEqualTo(resource);
        assertThat(valid("\uFEFF" + FunctionYaml.toJson(resource))).isEqualTo(resource);
    }

    @Test
    void thePathOfTheStatisticsIsNoModelsName() {
        FunctionSpec served =
                valid(HEAD + "spec: {model: m.onnx, servedName: Stats}").spec();
        String named = HEAD.replace("digits", "stats");

        assertThat(faults(HEAD + "spec: {model: m.onnx, servedName: stats}"))
                .containsExactly(
                        new Fault(
                                "spec.servedName",
                                "found 'stats', but /v2/models/stats is the path of the statistics of all models; write another name, or leave it out to serve the model under the function's"));
        assertThat(faults(named + "spec: {model: m.onnx}"))
                .extracting(Fault::path)
                .containsExactly("metadata.name");
        assertThat(valid(named + "spec: {model: m.onnx, servedName: Stats}").spec())
                .isEqualTo(served);
    }

    @Test
    void theDocumentedExampleEqualsTheDefaults() {
        FunctionResource resource = valid("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata:
                          name: digits                 # DNS label
                          namespace: default
                        spec:
                          type: Inference              # Inference (default) | Gradient | TrainingStep
                          model: digits.onnx
                          resources: {cpu: auto, memory: auto, gpu: 0}
                          placement: {pool: auto, capacity: Mixed, onDemandBase: 0}
                          scaling: {min: 0, max: 10, concurrency: 4, targetUtilization: 0.7, idleAfter: 60s}
                          keepWarm:
                            policy: Adaptive           # Adaptive | Fixed | Always | Never
                            idleTimeout: 10m           # Fixed
                          batching: {maxSize: 1, maxDelay: 0ms}
                          timeout: 30s
                        status: {url: "http://x", latestVersion: 3, anything: [goes]}
                        """);

        assertThat(resource.spec()).isEqualTo(FunctionDefaults.inference("digits.onnx"));
    }

    @Test
    void readsEveryField() {
        FunctionSpec spec = valid(HEAD + """
                                        spec:
                                          model: sha256:%1$s
                                          externalData: {weights/big.bin: sha256:%1$s}
                                          resources: {cpu: 1.5, memory: 2Gi}
                                          placement: {pool: cpu, capacity: Spot}
                                          scaling: {min: 2, max: 3, concurrency: 16, targetUtilization: 1, idleAfter: 0s}
                                          keepWarm: {policy: Never}
                                          batching: {maxSize: 8, maxDelay: 5ms}
                                          timeout: 1m30s
                                          traffic: [{version: 1, percent: 90}, {version: 2, percent: 10}]
                                        """.formatted("a".repeat(64))).spec();

        String digest = "sha256:" + "a".repeat(64);
        assertThat(spec.model()).isEqualTo(digest);
        assertThat(spec.externalData()).isEqualTo(Map.of("weights/big.bin", digest));
        assertThat(spec.resources())
                .isEqualTo(new FunctionSpec.Resources(Optional.of(1_500L), Optional.of(2L << 30), 0));
        assertThat(spec.scaling()).isEqualTo(new FunctionSpec.Scaling(2, 3, 16, 1.0, Duration.ZERO));
        assertThat(spec.keepWarm().policy()).isEqualTo(FunctionSpec.WarmPolicy.Never);
        assertThat(spec.batching()).isEqualTo(new FunctionSpec.Batching(8, Duration.ofMillis(5)));
        assertThat(spec.timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(spec.traffic()).containsExactly(new TrafficTarget(1, 90), new TrafficTarget(2, 10));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type: Generation | 16",
                "type: Generation, generation: {maxSequences: 5} | 5",
                "type: Generation, scaling: {max: 2}, generation: {maxSequences: 5} | 5",
                "type: Generation, generation: {maxSequences: 5}, scaling: {concurrency: 7} | 7",
                "type: Encoder | 4",
            })
    void aReplicaIsSentAsManyRequestsAsItGeneratesTexts(String fields, int concurrency) {
        FunctionResource resource = valid(HEAD + "spec: {model: folder/, %s}".formatted(fields));

        assertThat(resource.spec().scaling().concurrency()).isEqualTo(concurrency);
    }

    @Test
    void jsonIsReadAsJson() {
        FunctionResource resource = valid("{\t\"apiVersion\": \"knabla.dev\\/v1alpha1\", \"kind\": \"Function\",\n"
                + "\t\"metadata\": {\"name\": \"digits\", \"labels\": {\"a\": \"1\"}},\n"
                + "\t\"spec\": {\"model\": \"digits.onnx\", \"timeout\": null}}");

        assertThat(resource.spec()).isEqualTo(FunctionDefaults.inference("digits.onnx"));
    }

    @Test
    void anEntryOfAMapThatIsNullIsAsAbsent() {
        FunctionResource resource = valid(HEAD + "spec: {model: m.onnx, shapes: {x: null, 'y': [1]}}\n");

        assertThat(resource.spec().modelInterface().shapes()).isEqualTo(Map.of("y", List.of(1)));
    }

    @Test
    void flowStyleYamlThatIsNoJsonIsReadToo() {
        assertThat(valid("{apiVersion: knabla.dev/v1alpha1, kind: Function, metadata: {name: a},"
                        + " spec: {model: m}}"))
                .isNotNull();
    }

    @Test
    void anchorsMayBeUsed() {
        FunctionResource resource = valid(HEAD + """
                                spec:
                                  model: m.onnx
                                  timeout: &t 20s
                                  scaling: {idleAfter: *t}
                                """);
        assertThat(resource.spec().scaling().idleAfter()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void allFaultsAreReportedAtOnce() {
        List<Fault> faults = faults("""
                        apiVersion: knabla.dev/v2
                        kind: Functoin
                        metadata: {name: Digits, lables: {}}
                        spec:
                          modle: digits.onnx
                          scaling: {min: 20, max: ten, concurency: 4}
                          timeout: 30
                          traffic: [{version: 1, percent: 60}]
                        """);

        assertThat(faults.stream().map(Fault::path))
                .containsExactly(
                        "apiVersion",
                        "kind",
                        "metadata.lables",
                        "metadata.name",
                        "spec.modle",
                        "spec.scaling.concurency",
                        "spec.scaling.max",
                        "spec.timeout",
                        "spec.traffic");
        assertThat(faults.toString())
                .contains("did you mean 'labels'?", "did you mean 'model'?")
                .contains("did you mean 'concurrency'?");
    }

    @Test
    void aKeyWrittenTwiceIsRefusedInYamlAndJson() {
        assertThat(faults(HEAD + "spec:\n  model: a\n  model: b"))
                .containsExactly(
                        new Fault("spec.model", "written twice, again in line 6, column 3; remove one of them"));
        assertThat(faults("""
                                {"apiVersion": "knabla.dev/v1alpha1", "kind": "Function",
                                 "metadata": {"name": "a", "name": "b"}, "spec": {"model": "m"}}"""))
                .singleElement()
                .matches(fault -> fault.path().equals("metadata.name"))
                .matches(fault -> fault.message().startsWith("written twice, again in line 2"));
    }

    @Test
    void aSyntaxErrorNamesItsPlace() {
        assertThat(only("spec:\n  model: [a, b\nkind: x").message()).startsWith("line 3, column");
        assertThat(only("a: \"open").message()).startsWith("line 1, column");
        assertThat(only("a:\n\t- b").message()).startsWith("line 2, column 1");
    }

    @Test
    void refusesDocumentsThatAreNotOneMapping() {
        assertThat(only("").message()).contains("is empty");
        assertThat(only("# nothing\n---\n").message()).contains("is empty");
        assertThat(only("just words").message()).contains("found the text 'just words'");
        assertThat(only("- a\n- b").message()).contains("found a list");
        assertThat(only("[1, 2]").message()).contains("found a list");
        assertThat(only(HEAD + "---\n" + HEAD).message()).contains("several documents");
        assertThat(only("x".repeat((1 << 20) + 1)).message()).contains("at most 1048576");
        assertThat(only("[".repeat(10_000)).message()).contains("Nesting Depth");
        assertThat(only("{\"a\":".repeat(10_000)).message()).contains("Nesting Depth");
        assertThat(only("a: \u0000").message()).contains("not YAML");
    }

    @Test
    void refusesTagsAndCreatesNoObjects() {
        assertThat(only(HEAD + "spec: !!java.io.File {model: m}").message())
                .startsWith("line 4, column 7")
                .contains("tag is not allowed");
        assertThat(only("!%20 a").message()).contains("not YAML: Tag must not contain");
        assertThat(faults(HEAD + "spec: !!set {model: m}").toString())
                .contains("spec: line 4, column 7: found the tag tag:yaml.org,2002:set");
        assertThat(faults(HEAD + "spec: {model: !secret x}").toString()).contains("found the tag !secret");
    }

    @Test
    void refusesAnAliasBombQuickly() {
        StringBuilder bomb = new StringBuilder(HEAD + "spec:\n  model: m\n  a0: &a0 [x, x]\n");
        for (int i = 1; i < 60; i++) {
            bomb.append("  a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        assertThat(only(bomb.toString()).message()).contains("aliases");
    }

    @Test
    void manyFaultsAreCountedNotListed() {
        List<Fault> twice = faults(HEAD + "spec:\n  model: m\n" + "  model: m\n".repeat(50_000));
        assertThat(twice).hasSize(101);
        assertThat(twice.getLast()).hasToString("and 49900 more faults");

        StringBuilder unknown = new StringBuilder(HEAD + "spec:\n  model: m\n");
        for (int i = 0; i < 1_000; i++) {
            unknown.append("  strange").append(i).append(": 1\n");
        }
        assertThat(faults(unknown.toString())).hasSize(21).contains(new Fault("spec", "and 980 more unknown keys"));
    }

    @Test
    void anAliasInItselfIsRefused() {
        assertThat(faults(HEAD + "spec: &s\n  model: m\n  scaling: *s").toString())
                .contains("spec.scaling: the alias refers to the value that it is part of");
    }

    @Test
    void writesWhatItReads() {
        FunctionResource resource = valid(HEAD + "spec: {model: digits.onnx, scaling: {min: 1}}");

        assertThat(FunctionYaml.write(resource)).isEqualTo("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata:
                          name: digits
                          namespace: default
                        spec:
                          type: Inference
                          model: digits.onnx
                          resources:
                            cpu: auto
                            memory: auto
                            gpu: 0
                          placement:
                            pool: auto
                            capacity: Mixed
                            onDemandBase: 0
                            policy: Adaptive
                          scaling:
                            min: 1
                            max: 10
                            concurrency: 4
                            targetUtilization: 0.7
                            idleAfter: 1m
                          keepWarm:
                            policy: Adaptive
                            idleTimeout: 10m
                            coldStartCost: 0.001
                          batching:
                            maxSize: 1
                            maxDelay: 0s
                          timeout: 30s
                        """);
        assertThat(FunctionYaml.fromJson(FunctionYaml.toJson(resource))).isEqualTo(resource);
    }

    @Test
    void acceptsFilesInAnyBucket() {
        FunctionResource resource = valid(HEAD
                + "spec: {model: 's3://b.1/a b/ü.onnx', externalData: {w: 's3://c-2/w'},"
                + " quantize: {type: Static, calibration: 's3://c-2/requests'}}");
        assertThat(resource.spec().model()).isEqualTo("s3://b.1/a b/ü.onnx");
        assertThat(resource.spec().externalData()).containsEntry("w", "s3://c-2/w");
        assertThat(resource.spec().quantize().calibration()).contains("s3://c-2/requests");
        assertThat(FunctionYaml.fromJson(FunctionYaml.toJson(resource))).isEqualTo(resource);
    }

    @Test
    void fromJsonAcceptsUnsupportedButNotInvalidDocuments() {
        ObjectNode document = FunctionYaml.toJson(valid(HEAD + "spec: {model: m}"));
        ObjectNode spec = (ObjectNode) document.get("spec");

        spec.put("model", "https://host/m.onnx");
        assertThat(FunctionYaml.fromJson(document).spec().model()).isEqualTo("https://host/m.onnx");

        spec.put("timeout", "soon");
        assertThatThrownBy(() -> FunctionYaml.fromJson(document))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.timeout: found the text 'soon'");
    }

    static FunctionResource valid(String text) {
        return switch (FunctionYaml.parse(text)) {
            case Valid(FunctionResource resource) -> resource;
            case Invalid(List<Fault> faults) -> throw new AssertionError("should be valid, but has " + faults);
        };
    }

    static List<Fault> faults(String text) {
        return switch (FunctionYaml.parse(text)) {
            case Valid(FunctionResource resource) -> throw new AssertionError("should have faults, but is " + resource);
            case Invalid(List<Fault> faults) -> faults;
        };
    }

    private static Fault only(String text) {
        assertThat(faults(text))
                .hasSize(1)
                .first()
                .matches(fault -> fault.path().isEmpty());
        return faults(text).getFirst();
    }
}
