package io.knabla.functions.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests each field with each kind of invalid value: exactly one fault, at its path, with the allowed values. */
class FieldsTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.knabla.functions.spec.BadSpecs#all")
    void reportsOneFaultPerInvalidValue(BadSpecs.Row row) {
        // Unsupported features have their own faults; their values are checked, too.
        assertThat(FunctionYamlTest.faults(row.document("model: m.onnx")))
                .filteredOn(fault -> !fault.message().startsWith("not supported yet"))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEqualTo(row.path()))
                .satisfies(fault -> assertThat(fault.message()).contains(row.message()));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            model: https://host/m.onnx                                             | spec.model
            """)
    void refusesUnsupportedFeatures(String content, String path) {
        String model = content.startsWith("model") ? "" : "model: m.onnx, ";
        String text = FunctionYamlTest.HEAD + "spec: {" + model + content + "}";
        check(text, path, "not supported yet: ");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                              | metadata.name        | missing; write the function's name
            {name: Digits}                  | metadata.name        | a DNS label
            {name: -a}                      | metadata.name        | a DNS label
            {name: a-}                      | metadata.name        | a DNS label
            {name: a.b}                     | metadata.name        | a DNS label
            {name: 123}                     | metadata.name        | found the number 123; write a DNS label
            {name: no}                      | metadata.name        | found the boolean no
            {name: LONG}                    | metadata.name        | 1 to 63
            {name: a, namespace: A}         | metadata.namespace   | a DNS label
            {name: a, labels: [b]}          | metadata.labels      | found a list
            {name: a, labels: {b: 1}}       | metadata.labels.b    | found the number 1; write text
            {name: a, annotations: {b: {}}} | metadata.annotations.b | found a mapping
            {name: a, nam: b}               | metadata.nam         | did you mean 'name'?
            a                               | metadata             | found the text 'a'; write a mapping
            ~                               | metadata             | missing; write metadata
            """)
    void metadataIsChecked(String metadata, String path, String message) {
        String text = "apiVersion: knabla.dev/v1alpha1\nkind: Function\nspec: {model: m}\nmetadata: "
                + metadata.replace("LONG", "a".repeat(64));
        check(text, path, message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            kind: Function                             | apiVersion | missing; write knabla.dev/v1alpha1
            apiVersion: v1, kind: Function             | apiVersion | found the text 'v1'; write knabla.dev/v1alpha1
            apiVersion: knabla.dev/v1alpha1            | kind       | missing; write Function
            apiVersion: knabla.dev/v1alpha1, kind: Pod | kind       | found the text 'Pod'; write Function
            apiVersion: knabla.dev/v1alpha1, kind: Function, extra: 1 | extra | unknown key 'extra'
            """)
    void theHeadIsChecked(String head, String path, String message) {
        check("{" + head + ", metadata: {name: a}, spec: {model: m}}", path, message);
    }

    private static void check(String text, String path, String message) {
        assertThat(FunctionYamlTest.faults(text))
                .singleElement()
                .satisfies(fault -> assertThat(fault.path()).isEqualTo(path))
                .satisfies(fault -> assertThat(fault.message()).contains(message));
    }
}
