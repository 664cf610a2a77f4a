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

/** Tests manifests of units with optional inputs. */
class ManifestDefaultsTest {
    private static final GraphManifest PLAIN = Manifests.of(bytes("graph"), bytes("weight"));
    private static final TensorSpec INPUT = PLAIN.inputs().getFirst();
    private static final InputDefault VALUE = InputDefault.of(
            INPUT.name(), List.of(2L, 1L), new byte[2 * INPUT.datatype().bytes()]);
    private static final GraphManifest MANIFEST = PLAIN.withDefaults(List.of(VALUE));
    private static final String JSON = new String(ManifestJson.write(MANIFEST), StandardCharsets.UTF_8);

    @Test
    void readsWhatItWrote() {
        assertThat(MANIFEST.schema()).isEqualTo(5);
        assertThat(MANIFEST.isOptional(INPUT.name())).isTrue();
        assertThat(PLAIN.isOptional(INPUT.name())).isFalse();
        assertThat(ManifestJson.read(bytes(JSON))).isEqualTo(MANIFEST);
        GraphManifest classes = MANIFEST.with(
                List.of(new ClassNames(PLAIN.outputs().getFirst().name(), DataType.INT64, List.of("0", "7"))));
        assertThat(ManifestJson.read(ManifestJson.write(classes))).isEqualTo(classes);
        GraphManifest unoptimized = classes.with(Optimization.NONE, List.of(), Optional.empty());
        assertThat(ManifestJson.read(ManifestJson.write(unoptimized))).isEqualTo(unoptimized);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "schema":5  | "schema":4   | the field 'training'
                    [2,1],      | [2,-1],      | is impossible
                    [2,1],      | [2,2],       | has not the bytes of its shape
                    "base64":"A | "base64":"?  | Illegal base64
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> ManifestJson.read(bytes(JSON.replace(part, instead))))
                .isInstanceOf(UnitException.class)
                .hasMessageStartingWith("not a unit manifest")
                .hasMessageContaining(why);
    }

    @Test
    void refusesTheDefaultOfNoInput() {
        var strange = List.of(InputDefault.of("nix", List.of(0L), new byte[0]));
        assertThatThrownBy(() -> PLAIN.withDefaults(strange)).hasMessageContaining("is of no input");
    }
}
