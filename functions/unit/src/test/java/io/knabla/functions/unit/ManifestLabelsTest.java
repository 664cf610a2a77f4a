package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests manifests of units with an input of class indices. */
class ManifestLabelsTest {
    private static final GraphManifest MANIFEST = manifest(new LabelRange("t", 10, Optional.of(-1L)));
    private static final String JSON = json(MANIFEST);

    private static GraphManifest manifest(LabelRange labels) {
        GraphManifest plain = Manifests.of(bytes("graph"), bytes("weight"));
        var target = new TensorSpec("t", DataType.INT64, List.of(-1L), List.of("n"));
        var scores = new TensorSpec("s", DataType.FP32, List.of(), List.of());
        return new GraphManifest(
                        GraphManifest.SCHEMA,
                        plain.graph(),
                        List.of(),
                        List.of(target, scores),
                        plain.outputs(),
                        false,
                        plain.model())
                .with(Optimization.FULL, List.of(), Optional.empty(), Optional.of(labels));
    }

    private static String json(GraphManifest manifest) {
        return new String(ManifestJson.write(manifest), StandardCharsets.UTF_8);
    }

    @Test
    void readsWhatItWrote() {
        assertThat(MANIFEST.schema()).isEqualTo(3);
        assertThat(JSON).endsWith("\"labels\":{\"input\":\"t\",\"classes\":10,\"ignored\":-1}}");
        assertThat(ManifestJson.read(bytes(JSON))).isEqualTo(MANIFEST);
        GraphManifest open = manifest(new LabelRange("t", -1, Optional.empty()));
        assertThat(ManifestJson.read(bytes(json(open)))).isEqualTo(open);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "schema":3       | "schema":2       | the field 'training'
                    "labels"         | "label"          | the field 'training'
                    "input":"t"      | "input":"u"      | labels 'u' are no input of INT64
                    "input":"t"      | "input":"s"      | labels 's' are no input of INT64
                    "classes":10     | "classes":-2     | labels 't' have -2 classes
                    "ignored":-1     | "ignored":"-1"   | found VALUE_STRING
                    "ignored":-1     | "ignores":-1     | the field 'ignored'
                    "ignored":-1     | "ignored":-1,"x":1 | END_OBJECT
                    ,"labels":{"input":"t","classes":10,"ignored":-1} | `` | schema is 3, but what is in it needs schema 1
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> ManifestJson.read(bytes(JSON.replace(part, instead))))
                .isInstanceOf(UnitException.class)
                .hasMessageStartingWith("not a unit manifest")
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({"0,true", "9,true", "10,false", "-1,true", "-2,false"})
    void allowsClassesAndWhatIsIgnored(long label, boolean allowed) {
        assertThat(MANIFEST.labels().orElseThrow().allow(label)).isEqualTo(allowed);
    }

    @Test
    void withoutANumberOfClassesRefusesOnlyNegativeLabels() {
        var labels = new LabelRange("t", -1, Optional.empty());
        assertThat(labels.allow(Long.MAX_VALUE)).isTrue();
        assertThat(labels.allow(-1)).isFalse();
        assertThat(labels.allowed()).isEqualTo("0 and more");
    }
}
