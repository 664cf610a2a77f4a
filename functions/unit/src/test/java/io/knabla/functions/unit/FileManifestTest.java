package io.knabla.functions.unit;

import static io.knabla.functions.unit.Manifests.blob;
import static io.knabla.functions.unit.Manifests.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests manifests of units with files of their own. */
class FileManifestTest {
    private static final Blob WEIGHTS = blob(bytes("weights"));
    private static final FileManifest MANIFEST =
            new FileManifest("Toy", Map.of("weights.bin", WEIGHTS, "config.json", blob(bytes("{}"))));
    private static final String JSON = new String(ManifestJson.write(MANIFEST), StandardCharsets.UTF_8);

    @Test
    void readsWhatItWrote() {
        assertThat(JSON).startsWith("{\"schema\":6,\"type\":\"Toy\",\"files\":[{\"name\":\"config.json\",\"blob\":{");
        assertThat(ManifestJson.read(bytes(JSON))).isEqualTo(MANIFEST);
        assertThat(MANIFEST.bytes()).isEqualTo("weights{}".length());
    }

    @Test
    void equalFilesAreEqualBytes() {
        Map<String, Blob> files = new LinkedHashMap<>();
        files.put("weights.bin", WEIGHTS);
        files.put("config.json", blob(bytes("{}")));
        assertThat(ManifestJson.write(new FileManifest("Toy", files))).isEqualTo(bytes(JSON));
    }

    @Test
    void hasNoGraphs() {
        assertThatThrownBy(MANIFEST::graphs)
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("is of type Toy, so it has no graphs");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "schema":6        | "schema":5       | the field 'graph'
                    "type":"Toy"      | "type":"toy"     | not the name of a type
                    "type":"Toy"      | "type":""        | not the name of a type
                    "name":"config    | "name":"../etc   | not the name of a file
                    "name":"config    | "name":"x/config | after
                    "name":"weights   | "name":"a        | file 'a.bin' comes after 'config.json'
                    "files":[         | "files":[],"x":[ | END_OBJECT
                    """)
    void refuses(String part, String instead, String why) {
        assertThat(JSON).contains(part);
        assertThatThrownBy(() -> ManifestJson.read(bytes(JSON.replace(part, instead))))
                .isInstanceOf(UnitException.class)
                .hasMessageStartingWith("not a unit manifest")
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".hidden", "a/b", "a\\b", "ä", "manifest.json", ".."})
    void refusesAFileOutsideItsFolder(String name) {
        assertThatThrownBy(() -> new FileManifest("Toy", Map.of(name, WEIGHTS)))
                .hasMessageContaining("not the name of a file of a unit");
    }

    @Test
    void boundsTheNumberOfFiles() {
        Map<String, Blob> files = new HashMap<>();
        for (int i = 0; i < ManifestLimits.FILES; i++) {
            files.put("file-" + i, WEIGHTS);
        }
        assertThat(ManifestJson.read(ManifestJson.write(new FileManifest("Toy", files)))
                        .files())
                .hasSize(ManifestLimits.FILES);
        files.put("one-more", WEIGHTS);
        assertThatThrownBy(() -> new FileManifest("Toy", files)).hasMessageContaining("1 to 1000");
    }
}
