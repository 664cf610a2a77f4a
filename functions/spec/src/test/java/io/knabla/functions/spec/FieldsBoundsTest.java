package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each field at its bounds: the last valid value, the first invalid one, and its message. */
class FieldsBoundsTest {
    private static final String DIGEST = "sha256:" + "0".repeat(64);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resources: {cpu: 10m}",
                "resources: {cpu: 1024}",
                "resources: {memory: 64Mi}",
                "resources: {memory: 16Ti}",
                "placement: {onDemandBase: 0}",
                "scaling: {min: 0, max: 1}",
                "scaling: {min: 1000, max: 1000}",
                "scaling: {min: 5, max: 5}",
                "scaling: {targetUtilization: 0.001}",
                "scaling: {targetUtilization: 1}",
                "scaling: {targetUtilization: 5e-1}",
                "scaling: {idleAfter: 168h}",
                "scaling: {idleAfter: 0s}",
                "keepWarm: {idleTimeout: 1ms}",
                "batching: {maxSize: 1024, maxDelay: 10s}",
                "placement: {onDemandBase: 10}",
                "timeout: 1ms",
                "timeout: 1h",
                "timeout: ~",
                "externalData: {}",
                "externalData: {a: ~}",
                "traffic: []",
                "traffic: [{version: 1, percent: 100}, {version: 2, percent: 0}]"
            })
    void boundsAreIncluded(String content) {
        assertThat(FunctionYaml.parse(text("  model: m.onnx\n  " + content))).isInstanceOf(Parsed.Valid.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            resources: {cpu: 9m}                  | spec.resources.cpu     | found the text '9m'; write cores from 10m to 1024 such as 500m or 2, or auto
            resources: {cpu: ~, memory: 63Mi}     | spec.resources.memory  | found the text '63Mi'; write bytes from 64Mi to 16Ti such as 512Mi or 1Gi, or auto
            resources: {cpu: [1]}                 | spec.resources.cpu     | found a list; write cores from 10m to 1024 such as 500m or 2, or auto
            scaling: {max: '1.5'}                 | spec.scaling.max       | found the text '1.5'; write a whole number from 1 to 1000, without quotes
            scaling: {max: '1.5.6.7.8.9.1.2.3.4.5'} | spec.scaling.max     | found the text '1.5.6.7.8.9.1.2.3.4.5'; write a whole number from 1 to 1000
            scaling: {max: many}                  | spec.scaling.max       | found the text 'many'; write a whole number from 1 to 1000
            scaling: {max: {}}                    | spec.scaling.max       | found a mapping; write a whole number from 1 to 1000
            scaling: {targetUtilization: true}    | spec.scaling.targetUtilization | found the boolean true; write a number above 0 and up to 1
            scaling: {targetUtilization: '0.5'}   | spec.scaling.targetUtilization | found the text '0.5'; write a number above 0 and up to 1, without quotes
            scaling: {targetUtilization: '.'}     | spec.scaling.targetUtilization | found the text '.'; write a number above 0 and up to 1, without quotes
            scaling: {idleAfter: '60'}            | spec.scaling.idleAfter | found the text '60'; write a duration from 0s to 168h such as 30s, 10m, 1h30m or 250ms
            scaling: {idleAfter: 60}              | spec.scaling.idleAfter | found the number 60, which has no unit; write a duration from 0s to 168h such as 30s, 10m, 1h30m or 250ms
            scaling: {idleAfter: []}              | spec.scaling.idleAfter | found a list; write a duration from 0s to 168h such as 30s, 10m, 1h30m or 250ms
            batching: {maxDelay: 10001ms}         | spec.batching.maxDelay | found the text '10001ms'; write a duration from 0s to 10s such as 30s, 10m, 1h30m or 250ms
            traffic: many                         | spec.traffic           | found the text 'many'; write a list of at most 20
            externalData: many                    | spec.externalData      | found the text 'many'; write at most 4096 entries, name: value
            externalData: {a: []}                 | spec.externalData.a    | found a list; write sha256: and 64 lower-case hex digits, or s3://bucket/key
            """)
    void reportsTheWholeMessage(String content, String path, String message) {
        assertThat(FunctionYamlTest.faults(text("  model: m.onnx\n  " + content)))
                .containsExactly(new Fault(path, message));
    }

    @ParameterizedTest
    @CsvSource({"1024, true", "1025, false"})
    void boundsTheLengthOfModelPaths(int length, boolean allowed) {
        assertThat(valid("  model: " + "m".repeat(length))).isEqualTo(allowed);
        String location = "w".repeat(length);
        assertThat(valid("  model: m\n  externalData:\n    ? " + location + "\n    : " + DIGEST))
                .isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///folder/m.onnx",
                "folder/m.onnx",
                "folder/",
                "file:///folder/",
                "sha256:0000000000000000000000000000000000000000000000000000000000000000"
            })
    void acceptsModels(String model) {
        assertThat(valid("  model: " + model)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"' '", "c:m.onnx", "\"a\\tb\""})
    void refusesModels(String model) {
        assertThat(valid("  model: " + model)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "..", "a/..", "../a", "a/../b", "'a\\b'", "\"a\\tb\""})
    void refusesLocations(String location) {
        assertThat(valid("  model: m\n  externalData: {" + location + ": " + DIGEST + "}"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", "a/b.bin", "..a", "a.."})
    void acceptsLocations(String location) {
        assertThat(valid("  model: m\n  externalData: {" + location + ": " + DIGEST + "}"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"20, ''", "21, found a list of 21; write a list of at most 20"})
    void boundsLists(int size, String message) {
        String targets = IntStream.rangeClosed(1, size)
                .mapToObj(v -> "{version: " + v + ", percent: " + (v == 1 ? 100 : 0) + "}")
                .collect(Collectors.joining(", ", "[", "]"));
        assertThat(messages("  model: m\n  traffic: " + targets)).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"200, ''", "201, 'found 201 entries; write at most 200 entries, name: value'"})
    void boundsMaps(int size, String message) {
        String labels =
                IntStream.range(0, size).mapToObj(i -> "l" + i + ": a").collect(Collectors.joining(", ", "{", "}"));
        String text = "apiVersion: knabla.dev/v1alpha1\nkind: Function\nspec: {model: m}\nmetadata: {name: a, labels: "
                + labels
                + "}";
        assertThat(said(text)).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"20, 20", "21, 21"})
    void unknownKeysAreListedUpToTwenty(int keys, int faults) {
        String strange = IntStream.range(0, keys)
                .mapToObj(i -> "  strange" + i + ": 1\n")
                .collect(Collectors.joining());
        List<Fault> found = FunctionYamlTest.faults(text("  model: m\n" + strange));
        assertThat(found).hasSize(faults);
        assertThat(found.toString().contains("and 1 more unknown keys")).isEqualTo(keys == 21);
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "101, 101", "150, 101"})
    void faultsAreListedUpToAHundred(int wrong, int listed) {
        String files =
                IntStream.range(0, wrong).mapToObj(i -> "    f" + i + ": x\n").collect(Collectors.joining());
        List<Fault> found = FunctionYamlTest.faults(text("  model: m\n  externalData:\n" + files));
        assertThat(found).hasSize(listed);
        assertThat(found.toString().contains("more faults")).isEqualTo(wrong > 100);
    }

    @Test
    void namesInAModelHaveABoundedPrintableLength() {
        assertThat(gradient("n".repeat(512))).doesNotContain("512 printable");
        assertThat(gradient("n".repeat(513))).contains("of at most 512 printable characters");
        assertThat(gradient("' '")).contains("of at most 512 printable characters");
        assertThat(gradient("\"a\\tb\"")).contains("of at most 512 printable characters");
    }

    private static String gradient(String output) {
        return messages("  model: m\n  type: Gradient\n  gradient: {loss: {output: " + output + "}}");
    }

    @Test
    void cronHasFiveFieldsInABoundedLength() {
        assertThat(cron("0 8" + " ".repeat(192) + "* * 1")).doesNotContain("five cron fields");
        assertThat(cron("0 8" + " ".repeat(193) + "* * 1")).contains("five cron fields");
        for (String nickname : List.of("@yearly", "@daily", "@hourly", "@reboot", "@midnight")) {
            assertThat(cron(nickname)).contains("five cron fields");
        }
    }

    private static String cron(String cron) {
        return messages("  model: m\n  keepWarm: {schedule: [{cron: '" + cron + "', duration: 1h}]}");
    }

    private static String text(String spec) {
        return FunctionYamlTest.HEAD + "spec:\n" + spec;
    }

    private static boolean valid(String spec) {
        return messages(spec).isEmpty();
    }

    private static String messages(String spec) {
        return said(text(spec));
    }

    private static String said(String text) {
        return switch (FunctionYaml.parse(text)) {
            case Parsed.Valid valid -> "";
            case Parsed.Invalid(List<Fault> faults) ->
                faults.stream().map(Fault::message).collect(Collectors.joining("; "));
        };
    }
}
