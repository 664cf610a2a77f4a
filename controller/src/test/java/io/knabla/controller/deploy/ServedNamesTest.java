package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.standin.Specs;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a served name means one function in its namespace. */
class ServedNamesTest {
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
    })
    void refusesANameThatAnotherFunctionHas(String namespace, String name, String served, String path) {
        List<FunctionRecord> there = List.of(record("old", "Model_A"), record("third", "taken"));

        assertThat(ServedNames.faults(resource(namespace, name, served), there))
                .extracting(fault -> fault.path())
                .isEqualTo(path.isEmpty() ? List.of() : List.of(path));
    }

    private static FunctionRecord record(String name, String served) {
        Version version = new Version(
                1, resource("default", name, served).spec(), Specs.digest(1), Specs.digest(1), Instant.EPOCH);
        return new FunctionRecord(new FunctionId("default", name), List.of(version), List.of(), "");
    }
}
