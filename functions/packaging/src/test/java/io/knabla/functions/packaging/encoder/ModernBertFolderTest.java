package io.knabla.functions.packaging.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.EncoderAnalysis;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.packaging.PackagedFolder;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What config.json of ModernBERT may say; {@code EncoderReplayTest} compares what is computed. */
class ModernBertFolderTest {
    @TempDir
    Path parent;

    private Path written(String model, String old, String changed) throws IOException {
        Path folder = TestEncoder.of(model).write(parent.resolve("model"));
        Path config = folder.resolve("config.json");
        String text = Files.readString(config);
        assertThat(text).contains(old);
        Files.writeString(config, text.replace(old, changed));
        return folder;
    }

    private static PackagedFolder packaging(Path folder) {
        return new PackagedFolder(folder, FunctionType.Encoder, new MemoryObjectStore());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"hidden_activation\": \"gelu_new\"|\"hidden_activation\": \"swiglu\"|hidden_activation: unknown activation 'swiglu'; known are gelu",
                "\"classifier_pooling\": \"cls\"|\"classifier_pooling\": \"max\"|classifier_pooling: is 'max'; known are cls and mean",
                "\"layer_types\": [\"sliding_attention\", |\"layer_types\": [\"chunked_attention\", |layer_types: is [chunked_attention, full_attention",
                "\"num_hidden_layers\": 5|\"num_hidden_layers\": 6|layer_types: is [sliding_attention, full_attention, sliding_attention, full_attention, sliding_attention]; 6 are needed",
                "\"rope_type\": \"linear\"|\"rope_type\": \"dynamic\"|rope_parameters.full_attention.rope_type: unknown scaling 'dynamic'",
                "\"rope_theta\": 500.0|\"rope_theta\": -1|rope_parameters.sliding_attention.rope_theta: is -1; write a number above 0",
                "\"max_position_embeddings\": 96|\"max_position_embeddings\": 9000000|max_position_embeddings: is 9000000; at most 131072",
                "\"num_attention_heads\": 4|\"num_attention_heads\": 16|num_attention_heads: gives heads of 3 elements; rotary positions need pairs",
                "\"local_attention\": 8|\"local_attention\": 0|local_attention: is 0; write a whole number of 1",
                "\"mlp_bias\": true|\"mlp_bias\": \"yes\"|mlp_bias: is \"yes\"; write true or false",
            })
    void namesValuesThatAreNotKnown(String old, String changed, String message) throws IOException {
        List<String> faults = packaging(written("modernbert-biased", old, changed)).faults("").stream()
                .map(Fault::toString)
                .toList();

        assertThat(faults).anySatisfy(it -> assertThat(it).startsWith("config.json: " + message));
    }

    @Test
    void biasesMustBeThereAsConfigJsonSays() throws IOException {
        Path folder = written("modernbert", "\"mlp_bias\": false", "\"mlp_bias\": true");

        assertThat(packaging(folder).faults(""))
                .extracting(Fault::toString)
                .contains("layers.1.mlp.Wi.bias: no such tensor in the folder; one of shape [128] is needed");
    }

    @Test
    void positionsAreNoWeights() throws IOException {
        Path folder = TestEncoder.of("modernbert").write(parent.resolve("model"));

        var done = (EncoderAnalysis.Result.Done) EncoderAnalysis.of(folder);
        // Five layers of 4 · 48² + 3 · 48 · 64 weights, and norms: one of the embedding, nine of layers, the last.
        assertThat(done.analysis().flopsPerToken()).isEqualTo(2 * (5 * (4 * 48 * 48 + 3 * 48 * 64) + 11 * 48));
        assertThat(packaging(folder)
                        .pack(", quantize: {type: Int8, blockSize: 16}")
                        .analysis()
                        .weightBytes())
                .isLessThan(packaging(folder).pack("").analysis().weightBytes());
    }
}
