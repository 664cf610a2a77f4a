package io.knabla.functions.packaging.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.packaging.PackagedFolder;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.encoder.EncoderSettings;
import io.knabla.functions.unit.encoder.Prompts;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncoderPackagerTest {
    private final MemoryObjectStore store = new MemoryObjectStore();

    @TempDir
    Path parent;

    private Path folder;

    @BeforeEach
    void model() throws IOException {
        folder = TestEncoder.of("bert").write(parent.resolve("bert"));
    }

    private void replace(String file, String old, String changed) throws IOException {
        String text = Files.readString(folder.resolve(file));
        assertThat(text).contains(old);
        Files.writeString(folder.resolve(file), text.replace(old, changed));
    }

    private PackagedFolder packaging() {
        return new PackagedFolder(folder, FunctionType.Encoder, store);
    }

    private PackagingResult.Packaged pack(String more) {
        return packaging().pack(more);
    }

    private List<String> faults() {
        return packaging().faults("").stream().map(Fault::toString).toList();
    }

    private EncoderSettings settings() {
        var manifest = (FileManifest) pack("").manifest();
        return EncoderSettings.parse(store.read(
                        UnitStore.blobKey(manifest.files().get("encoder.json").digest()))
                .orElseThrow()
                .bytes());
    }

    @Test
    void holdsGraphWeightsTokenizerAndSettings() {
        PackagingResult.Packaged packaged = pack("");

        assertThat(((FileManifest) packaged.manifest()).files())
                .containsOnlyKeys("encoder.onnx", "weights.bin", "tokenizer.bin", "encoder.json");
        assertThat(new UnitStore(store).holds(packaged.unit())).isTrue();
        assertThat(settings())
                .isEqualTo(new EncoderSettings(80, 200, 0, new EncoderSettings.Embedding(48, true, Prompts.NONE)));
        assertThat(packaged.warnings()).isEmpty();
        assertThat(pack("").unit()).isEqualTo(packaged.unit());
    }

    @Test
    void aHeadWithOneLabelGivesScores() throws IOException {
        folder = TestEncoder.of("xlm-roberta-score").write(parent.resolve("scores"));

        assertThat(settings().output()).isEqualTo(new EncoderSettings.Score());
        assertThat(settings().padToken()).isEqualTo(1);
        // As the tokenizer says: 98 positions begin behind that of the padding.
        assertThat(settings().maxTokens()).isEqualTo(96);
    }

    @Test
    void aPlainModelIsPooledAsSentenceTransformersDoes() throws IOException {
        Files.delete(folder.resolve("modules.json"));

        assertThat(settings().output()).isEqualTo(new EncoderSettings.Embedding(48, false, Prompts.NONE));
        assertThat(pack("").warnings())
                .singleElement()
                .asString()
                .contains("no modules.json", "mean", "not normalised");
    }

    @Test
    void quantisedWeightsAreSmaller() {
        long whole = pack("").analysis().weightBytes();
        long bytes = pack(", quantize: {type: Int8, blockSize: 16}").analysis().weightBytes();

        assertThat(bytes).isLessThan(whole);
        assertThat(pack(", quantize: {type: Int4, blockSize: 16}").analysis().weightBytes())
                .isLessThan(bytes);
    }

    @Test
    void sendsOnlyWhatIsRead() throws IOException {
        Files.writeString(folder.resolve("README.md"), "no");

        assertThat(FolderFiles.others(folder, FunctionType.Encoder))
                .containsExactlyInAnyOrder(
                        "tokenizer.json",
                        "tokenizer_config.json",
                        "modules.json",
                        "sentence_bert_config.json",
                        "1_Pooling/config.json",
                        "model.safetensors");
    }

    @Test
    void namesTheKeysThatTheFamilyHas() throws IOException {
        folder = TestEncoder.of("distilbert").write(parent.resolve("distilbert"));
        replace("config.json", "\"n_heads\": 4", "\"n_heads\": 5");
        replace("config.json", "\"activation\": \"gelu\"", "\"activation\": \"swish\"");

        assertThat(faults())
                .anySatisfy(it -> assertThat(it).contains("n_heads", "5, which does not divide the dim of 48"))
                .anySatisfy(it -> assertThat(it).contains("activation", "unknown activation 'swish'"));
    }

    @Test
    void refusesOtherGroupsOfDistancesThanTransformersComputesWith() throws IOException {
        folder = TestEncoder.of("mpnet").write(parent.resolve("mpnet"));
        replace("config.json", "\"relative_attention_num_buckets\": 32", "\"relative_attention_num_buckets\": 64");

        assertThat(faults())
                .singleElement()
                .asString()
                .contains("relative_attention_num_buckets", "is 64; only 32 are known");
    }

    @Test
    void tellsAllFaultsAndStoresNothing() throws IOException {
        replace("modules.json", "sentence_transformers.models.Normalize", "sentence_transformers.models.LSTM");
        replace("1_Pooling/config.json", "mean_tokens\": true", "weightedmean_tokens\": true");
        replace("1_Pooling/config.json", "48", "32");
        replace("sentence_bert_config.json", "false", "true");
        replace("config.json", "\"intermediate_size\": 64", "\"intermediate_size\": 96");
        Files.delete(folder.resolve("tokenizer.json"));

        assertThat(faults())
                .anySatisfy(it -> assertThat(it).contains("modules.json", "LSTM", "known are Transformer"))
                .anySatisfy(it -> assertThat(it).contains("1_Pooling/config.json", "weightedmean_tokens"))
                .anySatisfy(it -> assertThat(it).contains("1_Pooling/config.json", "32 elements", "have 48"))
                .anySatisfy(it -> assertThat(it).contains("sentence_bert_config.json", "do_lower_case"))
                .anySatisfy(it -> assertThat(it).contains("tokenizer.json", "missing"))
                .anySatisfy(it -> assertThat(it)
                        .contains("encoder.layer.0.intermediate.dense.weight", "[64, 48]", "must be [96, 48]"));
        assertThat(store.list("")).isEmpty();
    }

    @Test
    void namesWhatIsWrongWithTheSizes() throws IOException {
        replace("config.json", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"mish\"");
        replace("config.json", "\"num_attention_heads\": 4", "\"num_attention_heads\": 5");
        replace(
                "config.json",
                "\"pad_token_id\": 0",
                "\"pad_token_id\": 200, \"position_embedding_type\": \"relative_key\"");

        assertThat(faults())
                .anySatisfy(it -> assertThat(it).contains("hidden_act", "'mish'"))
                .anySatisfy(it -> assertThat(it).contains("num_attention_heads", "does not divide"))
                .anySatisfy(it -> assertThat(it).contains("pad_token_id", "200"))
                .anySatisfy(it -> assertThat(it).contains("position_embedding_type", "relative_key"));
    }

    @Test
    void refusesOtherHeadsByName() throws IOException {
        replace("config.json", "BertModel", "BertForQuestionAnswering");
        assertThat(faults())
                .singleElement()
                .asString()
                .contains("unknown architecture 'BertForQuestionAnswering'", "known are BertModel");

        folder = TestEncoder.of("bert-score").write(parent.resolve("labels"));
        replace("config.json", "{\"0\": \"LABEL_0\"}", "{\"0\": \"no\", \"1\": \"yes\"}");
        assertThat(faults()).singleElement().asString().contains("id2label", "has 2 labels");
    }

    /** A model's file under the name of each. */
    @Test
    void refusesBytesThatAreNoText() throws IOException {
        List<String> files = List.of(
                "config.json", "tokenizer.json", "model.safetensors", "modules.json", "sentence_bert_config.json");
        for (String name : files) {
            Files.write(folder.resolve(name), new byte[] {8, 10, (byte) 0xff, (byte) 0xfe, 0, 1, 2, 3, 4});
        }

        List<String> faults = faults();
        assertThat(files)
                .allSatisfy(name ->
                        assertThat(faults).anySatisfy(it -> assertThat(it).startsWith(name + ": ")));
    }
}
