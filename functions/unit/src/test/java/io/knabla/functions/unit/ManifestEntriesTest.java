package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests manifests of units with several graphs, and that those with one graph keep their bytes. */
class ManifestEntriesTest {
    private static final GraphManifest PLAIN = Manifests.of(bytes("graph"), bytes("weight"));
    private static final TensorSpec W = new TensorSpec("w", DataType.FP32, List.of(3L, 2L), List.of("", ""));
    private static final GraphManifest MANIFEST = PLAIN.with(
            Optimization.NO_CSE,
            List.of(entry("value", Optimization.FULL), entry("vjp", Optimization.NONE)),
            Optional.of(new TrainingSpec(
                    List.of(new StateTensor("w", "new:w", W)),
                    Manifests.blob(bytes("initial")),
                    List.of(new Setting("learning_rate", 1e-3), new Setting("tiny", -Double.MIN_NORMAL)))));
    private static final String JSON = json(MANIFEST);

    private static EntryPoint entry(String name, Optimization optimization) {
        return new EntryPoint(name, Manifests.blob(bytes(name)), List.of(W), List.of(W), optimization);
    }

    private static String json(GraphManifest manifest) {
        return new String(ManifestJson.write(manifest), StandardCharsets.UTF_8);
    }

    @Test
    void readsWhatItWrote() {
        assertThat(ManifestJson.read(bytes(JSON))).isEqualTo(MANIFEST);
        assertThat(MANIFEST.schema()).isEqualTo(2);
    }

    @Test
    void eachPartAloneRequiresSchema2() {
        for (GraphManifest one : List.of(
                PLAIN.with(Optimization.NONE, List.of(), Optional.empty()),
                PLAIN.with(Optimization.FULL, MANIFEST.entries(), Optional.empty()),
                PLAIN.with(Optimization.FULL, List.of(), MANIFEST.training()))) {
            assertThat(one.schema()).isEqualTo(2);
            assertThat(ManifestJson.read(ManifestJson.write(one))).isEqualTo(one);
        }
    }

    @Test
    void aUnitWithOneGraphKeepsItsBytes() {
        assertThat(json(PLAIN.with(Optimization.FULL, List.of(), Optional.empty())))
                .isEqualTo(json(PLAIN))
                .startsWith("{\"schema\":1,")
                .endsWith("\"model\":{\"irVersion\":10,\"opset\":21}}");
    }

    @Test
    void addsToTheEndOfTheFirstSchema() {
        String first = json(PLAIN);
        assertThat(JSON)
                .startsWith(first.substring(0, first.length() - 1).replace("\"schema\":1", "\"schema\":2")
                        + ",\"optimization\":\"NO_CSE\",\"entries\":[{\"name\":\"value\",");
    }

    @Test
    void findsEntriesByName() {
        assertThat(MANIFEST.entry("vjp")).contains(entry("vjp", Optimization.NONE));
        assertThat(MANIFEST.entry("jvp")).isEmpty();
        assertThat(entry("vjp", Optimization.FULL).file()).isEqualTo("vjp.onnx");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "model", "Vjp", "9a", "-a", "a/b", "..", "a.b", "a_b", "abcdefghijklmnopqrstuvwxyzabcdefg"})
    void entriesHaveSafeNames(String name) {
        assertThatThrownBy(() -> entry(name, Optimization.FULL))
                .hasMessageContaining("not the name of an entry: '" + name + "'");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "schema":2         | "schema":1             | expected END_OBJECT
                    "NO_CSE"           | "SOME"                 | SOME
                    "NONE"             | "ALL"                  | ALL
                    "name":"vjp"       | "name":"value"         | two entries have the name 'value'
                    "name":"vjp"       | "name":"../vjp"        | not the name of an entry
                    "entries"          | "entires"              | the field 'entries'
                    "training"         | "trainig"              | the field 'training'
                    "output":"new:w"   | "output":5             | found VALUE_NUMBER_INT
                    "otherwise":0.001  | "otherwise":"0.001"    | expected a number
                    "otherwise":0.001  | "otherwise":1e999      | Infinity
                    [3,2],"symbols":["",""]}}],"initial" | [-1,2],"symbols":["",""]}}],"initial" | has a variable dimension
                    [3,2],"symbols":["",""]}}],"initial" | [4611686018427387904,2],"symbols":["",""]}}],"initial" | overflow
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> ManifestJson.read(bytes(JSON.replace(part, instead))))
                .isInstanceOf(UnitException.class)
                .hasMessageStartingWith("not a unit manifest")
                .hasMessageContaining(why);
    }

    @Test
    void refusesSchema2ForContentOfSchema1() {
        String json = json(PLAIN).replace("\"schema\":1", "\"schema\":2").replaceFirst("}}$", "")
                + "},\"optimization\":\"FULL\",\"entries\":[]}";

        assertThatThrownBy(() -> ManifestJson.read(bytes(json)))
                .hasMessageContaining("schema is 2, but what is in it needs schema 1");
    }

    @Test
    void stateTensorsAreNumericAndUnique() {
        var texts = new TensorSpec("w", DataType.BYTES, List.of(), List.of());
        assertThatThrownBy(() -> new StateTensor("w", "new:w", texts)).hasMessageContaining("holds texts");
        assertThatThrownBy(() -> new StateTensor("v", "new:v", W)).hasMessageContaining("'v'");
        var w = new StateTensor("w", "new:w", W);
        assertThat(w.bytes()).isEqualTo(3 * 2 * 4);
        assertThatThrownBy(() -> new TrainingSpec(List.of(w, w), Manifests.blob(bytes("i"))))
                .hasMessageContaining("two state tensors have the input 'w'");
    }

    @Property(tries = 500)
    void neverReadsATruncatedOne(@ForAll @IntRange(min = 0, max = 2000) int length) {
        byte[] part = Arrays.copyOf(bytes(JSON), Math.min(length, bytes(JSON).length - 1));

        assertThatThrownBy(() -> ManifestJson.read(part)).isInstanceOf(UnitException.class);
    }

    @Property(tries = 2000)
    void readsChangedBytesOrRefusesThem(@ForAll @IntRange(min = 0, max = 10_000) int where, @ForAll byte value) {
        byte[] changed = bytes(JSON);
        changed[where % changed.length] = value;
        try {
            assertThat(ManifestJson.read(changed).graphs().entries()).hasSize(2);
        } catch (UnitException refused) {
            assertThat(refused).hasMessageContaining("manifest");
        }
    }
}
