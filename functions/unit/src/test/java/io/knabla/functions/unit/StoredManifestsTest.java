package io.knabla.functions.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that manifests which the build 081c4011 stored for the samples are read, and are written as the same bytes. */
class StoredManifestsTest {
    @ParameterizedTest
    @CsvSource({
        "237787cb9ad9b56cf9c409ef0272b9a997bfac3430298803d60daa9ec6eb62aa, 1, Inference, 2",
        "b9a592da623f5ae9c93bb988b82d8f7d4d98223b8d4d725df36984d0f07ee23c, 1, Inference, 1",
        "820a0228cd2c61078bf84aa822d8e9f7b98414b99c9ea01cedb819fca7a59376, 3, Gradient, 9",
        "32ca9b382ca6548358f77d598d7e698a0c3eed7545e1073c0327b5bf68948ac6, 3, TrainingStep, 3"
    })
    void areReadAndWrittenAlike(String digest, int schema, String type, int files) throws IOException {
        byte[] stored;
        try (InputStream in = getClass().getResourceAsStream("/units/" + digest + ".json")) {
            stored = in.readAllBytes();
        }

        UnitManifest manifest = ManifestJson.read(stored);

        assertThat(Sha256.of(stored).hex()).isEqualTo(digest);
        assertThat(manifest.schema()).isEqualTo(schema);
        assertThat(manifest.type()).isEqualTo(type);
        assertThat(manifest.files()).hasSize(files);
        assertThat(ManifestJson.write(manifest)).isEqualTo(stored);
    }
}
