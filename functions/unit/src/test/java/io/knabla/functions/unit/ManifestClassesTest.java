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

/** Tests manifests of units whose outputs score named classes. */
class ManifestClassesTest {
    private static final GraphManifest PLAIN = Manifests.of(bytes("graph"), bytes("weight"));
    private static final String OUTPUT = PLAIN.outputs().getFirst().name();
    private static final GraphManifest MANIFEST =
            PLAIN.with(List.of(new ClassNames(OUTPUT, DataType.INT64, List.of("0", "7"))));
    private static final String JSON = new String(ManifestJson.write(MANIFEST), StandardCharsets.UTF_8);

    @Test
    void readsWhatItWrote() {
        assertThat(MANIFEST.schema()).isEqualTo(4);
        assertThat(ManifestJson.read(bytes(JSON))).isEqualTo(MANIFEST);
        GraphManifest unoptimized = MANIFEST.with(Optimization.NONE, List.of(), Optional.empty());
        assertThat(ManifestJson.read(ManifestJson.write(unoptimized))).isEqualTo(unoptimized);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "schema":4      | "schema":3       | the field 'training'
                    "names":["0"    | "names":["zero"  | For input string: "zero"
                    "names":["0"    | "names":[0       | VALUE_STRING
                    "INT64","names" | "FP32","names"   | not INT64 or BYTES
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> ManifestJson.read(bytes(JSON.replace(part, instead))))
                .isInstanceOf(UnitException.class)
                .hasMessageStartingWith("not a unit manifest")
                .hasMessageContaining(why);
    }

    @Test
    void refusesClassesOfNoOutput() {
        var strange = List.of(new ClassNames("nix", DataType.BYTES, List.of("a")));
        assertThatThrownBy(() -> PLAIN.with(strange)).hasMessageContaining("which is no output");
    }
}
