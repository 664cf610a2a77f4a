package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a name under which functions are called means one of them in its namespace. */
class CalledNamesTest {
    private static FunctionResource resource(String namespace, String name, String served) {
        Parsed parsed =
                FunctionYaml.parse("""
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s, namespace: %s}
                spec: {model: m.onnx%s}
                """.formatted(name, namespace, served.isEmpty() ? "" : ", servedName: " + served));
        return ((Parsed.Valid) parsed).resource();
    }

    @ParameterizedTest(name = "{0}/{1} served as {2}: {3}")
    @CsvSource({
        "default, new,   Model_A, spec.servedName",
        "default, new,   old,     spec.servedName",
        "default, new,   Model_B, ''",
        "default, new,   '',      ''",
        "other,   new,   Model_A, ''",
        "default, old,   Model_A, ''",
        "default, taken, '',      metadata.name",
        "default, canary-third, '', metadata.name",
        "default, new, canary-third, spec.servedName",
        "other, canary-third, '', ''",
    })
    void refusesANameThatAnotherFunctionHas(String namespace, String name, String served, String path) {
        List<FunctionRecord> there = List.of(record("old", "Model_A"), record("third", "taken", "canary"));

        assertThat(CalledNames.faults(resource(namespace, name, served), there))
                .extracting(fault -> fault.path())
                .isEqualTo(path.isEmpty() ? List.of() : List.of(path));
    }

    @ParameterizedTest(name = "tag {0} of {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "canary | cn | makes the name 'canary-cn', under which function default/canary-cn is called already;",
                "my | model | makes the name 'my-model', under which function default/served is called already (its spec.servedName);",
                "a | b-cn | makes the name 'a-b-cn', under which function default/cn is called already (by its tag 'a-b');",
                "own | name | makes the name 'own-name', under which function default/name is called already (its spec.servedName);",
                "stable | cn | ~~"
            })
    void refusesATagWhoseAddressIsAnothers(String tag, String name, String sentence) {
        List<FunctionRecord> there =
                List.of(record("canary-cn", ""), record("served", "my-model"), record("cn", "", "a-b"));
        List<TrafficTarget> split =
                List.of(new TrafficTarget(1, 100), TrafficTarget.latest(0).tagged(tag));

        assertThat(CalledNames.ofTags(
                        "traffic", split, new FunctionId("default", name), Optional.of("own-name"), there))
                .extracting(Fault::path, fault -> fault.message().split(" choose")[0])
                .isEqualTo(sentence.isEmpty() ? List.of() : List.of(tuple("traffic[1].tag", sentence)));
    }

    private static FunctionRecord record(String name, String served, String... tags) {
        Version version = new Version(
                1, resource("default", name, served).spec(), Specs.digest(1), Specs.digest(1), Instant.EPOCH);
        List<TrafficTarget> split =
                Stream.of(tags).map(TrafficTarget.latest(0)::tagged).toList();
        return new FunctionRecord(new FunctionId("default", name), List.of(version), split, "");
    }
}
