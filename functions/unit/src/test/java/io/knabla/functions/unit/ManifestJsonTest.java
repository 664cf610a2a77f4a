package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests canonical writing and strict reading of manifests with one graph. */
class ManifestJsonTest {
    private static final GraphManifest MANIFEST = Manifests.of(bytes("graph"), bytes("weight"));
    private static final String JSON =
            new String(ManifestJson.write(MANIFEST), java.nio.charset.StandardCharsets.UTF_8);

    @Test
    void readsWhatItWrote() {
        assertThat(ManifestJson.read(bytes(JSON))).isEqualTo(MANIFEST);
    }

    @Test
    void isCanonical() {
        assertThat(JSON)
                .isEqualTo(
                        "{\"schema\":1,\"graph\":{\"digest\":\"%s\",\"size\":5},".formatted(Sha256.of(bytes("graph")))
                                + "\"weights\":[{\"digest\":\"%s\",\"size\":6}],".formatted(Sha256.of(bytes("weight")))
                                + "\"inputs\":[{\"name\":\"größe \\\"x\\\"\\n\",\"datatype\":\"FP32\","
                                + "\"shape\":[-1,3],\"symbols\":[\"n\",\"\"]}],"
                                + "\"outputs\":[{\"name\":\"y\",\"datatype\":\"INT64\","
                                + "\"shape\":[],\"symbols\":[]}],\"batchable\":true,"
                                + "\"model\":{\"irVersion\":10,\"opset\":21}}");
    }

    @Test
    void refusesANewerSchemaWhateverFollows() {
        assertThatThrownBy(() -> ManifestJson.read(bytes("{\"schema\":7,\"novel\":[]}")))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("schema 7, this Knabla reads up to 6")
                .hasMessageContaining("Update Knabla");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "schema":1        | "schema":0               | schema is 0
                    "schema":1        | "schema":1.5             | found VALUE_NUMBER_FLOAT
                    "schema":1        | "schema":99999999999999999999 | out of range of long
                    "schema":1        | "schema":"1"             | found VALUE_STRING
                    sha256:           | SHA256:                  | not a digest
                    "size":5          | "size":-5                | size >= 0
                    "weights"         | "wieghts"                | the field 'weights'
                    "FP32"            | "FP31"                   | FP31
                    [-1,3]            | [-2,3]                   | is impossible
                    [-1,3]            | [-1,3,4]                 | 3 dimensions but 2 symbols
                    "batchable":true  | "batchable":1            | true or false
                    "opset":21}}      | "opset":21}}{            | found START_OBJECT
                    "opset":21}}      | "opset":21,"x":1}}       | END_OBJECT
                    """)
    void refuses(String part, String instead, String why) {
        String bad = JSON.replace(part, instead);
        assertThat(bad).isNotEqualTo(JSON);

        assertThatThrownBy(() -> ManifestJson.read(bytes(bad)))
                .isInstanceOf(UnitException.class)
                .hasMessageStartingWith("not a unit manifest")
                .hasMessageContaining(why);
    }

    @Test
    void refusesDeepNestingAndHugeDocuments() {
        assertThatThrownBy(() -> ManifestJson.read(bytes("[".repeat(100_000)))).isInstanceOf(UnitException.class);
        assertThatThrownBy(() -> ManifestJson.read(new byte[ManifestLimits.BYTES + 1]))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("at most");
    }

    @Property(tries = 500)
    void neverReadsATruncatedOne(@ForAll @IntRange(min = 0, max = 400) int length) {
        byte[] part = Arrays.copyOf(bytes(JSON), Math.min(length, bytes(JSON).length - 1));

        assertThatThrownBy(() -> ManifestJson.read(part)).isInstanceOf(UnitException.class);
    }

    @Property(tries = 2000)
    void readsChangedBytesOrRefusesThem(@ForAll @IntRange(min = 0, max = 10_000) int where, @ForAll byte value) {
        byte[] changed = bytes(JSON);
        changed[where % changed.length] = value;
        try {
            assertThat(ManifestJson.read(changed).graphs().weights()).hasSize(1);
        } catch (UnitException refused) {
            assertThat(refused).hasMessageContaining("manifest");
        }
    }
}
