package io.knabla.functions.packaging.encoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.TestEncoder;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.packaging.PackagedFolder;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.encoder.EncoderSettings;
import io.knabla.functions.unit.encoder.Prompts;
import io.knabla.functions.unit.encoder.Prompts.Prompt;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What modules.json and the files of its modules may say; {@code EncoderReplayTest} compares what is computed. */
class SentenceModulesTest {
    private static final String DENSE = "2_Dense/config.json";
    private static final String WEIGHTS = "2_Dense/model.safetensors";

    private final MemoryObjectStore store = new MemoryObjectStore();

    @TempDir
    Path parent;

    private Path folder;

    @BeforeEach
    void model() throws IOException {
        folder = TestEncoder.of("bert-dense").write(parent.resolve("model"));
    }

    private void replace(String file, String old, String changed) throws IOException {
        String text = Files.readString(folder.resolve(file));
        assertThat(text).contains(old);
        Files.writeString(folder.resolve(file), text.replace(old, changed));
    }

    private PackagedFolder packaging() {
        return new PackagedFolder(folder, FunctionType.Encoder, store);
    }

    private List<String> faults() {
        return packaging().faults("").stream().map(Fault::toString).toList();
    }

    private EncoderSettings settings() {
        var files = ((FileManifest) packaging().pack("").manifest()).files();
        return EncoderSettings.parse(
                store.read(UnitStore.blobKey(files.get("encoder.json").digest()))
                        .orElseThrow()
                        .bytes());
    }

    @Test
    void theLastModuleGivesTheWidth() {
        assertThat(settings().output()).isEqualTo(new EncoderSettings.Embedding(40, true, Prompts.NONE));
    }

    @Test
    void filesOfModulesAreSent() throws IOException {
        assertThat(FolderFiles.others(folder, FunctionType.Encoder)).contains(DENSE, WEIGHTS, "1_Pooling/config.json");
    }

    @Test
    void namesValuesOfADenseThatAreNotKnown() throws IOException {
        replace(DENSE, "torch.nn.modules.activation.Tanh", "torch.nn.modules.activation.Softplus");
        replace(
                DENSE,
                "\"bias\": true",
                "\"bias\": true, \"use_residual\": true, \"module_input_name\": \"token_embeddings\"");

        assertThat(faults())
                .anySatisfy(it -> assertThat(it)
                        .contains(DENSE + ": activation_function", "'torch.nn.modules.activation.Softplus'", "Tanh"))
                .anySatisfy(it -> assertThat(it).contains(DENSE + ": use_residual", "true"))
                .anySatisfy(it -> assertThat(it).contains(DENSE + ": module_input_name", "'token_embeddings'"));
    }

    @Test
    void anActivationOfAnotherPackageIsNotTakenForOneOfTorch() throws IOException {
        replace(DENSE, "torch.nn.modules.activation.Tanh", "my.layers.Tanh");

        assertThat(faults()).singleElement().asString().contains("'my.layers.Tanh'");
    }

    @Test
    void sizesMustFitTheVectorBeforeAndTheWeights() throws IOException {
        replace(DENSE, "\"in_features\": 48", "\"in_features\": 32");
        replace(DENSE, "\"out_features\": 40", "\"out_features\": 16000000000");

        assertThat(faults())
                .anySatisfy(it -> assertThat(it).contains(DENSE + ": in_features", "is 32", "has 48 elements"))
                .anySatisfy(it -> assertThat(it).contains(DENSE + ": out_features", "is 16000000000", "1 to 16777216"))
                .anySatisfy(it -> assertThat(it)
                        .contains("2_Dense/linear.weight", "[40, 48]", "by 2_Dense/config.json it must be [1, 32]"));
    }

    @Test
    void weightsOfAModuleMustBeWholeSafetensors() throws IOException {
        byte[] weights = Files.readAllBytes(folder.resolve(WEIGHTS));
        Files.write(folder.resolve(WEIGHTS), Arrays.copyOf(weights, weights.length - 4));
        assertThat(faults())
                .anySatisfy(it -> assertThat(it)
                        .contains(WEIGHTS, "has %d bytes".formatted(weights.length - 4), "" + weights.length));

        Files.move(folder.resolve(WEIGHTS), folder.resolve("2_Dense/pytorch_model.bin"));
        assertThat(faults())
                .anySatisfy(it -> assertThat(it).contains(WEIGHTS, "missing", "2_Dense/pytorch_model.bin", "Python"));
    }

    @Test
    void aModuleMustBeThereOnceAndInOrder() throws IOException {
        replace("modules.json", "2_Dense", "1_Pooling");
        assertThat(faults())
                .contains("modules.json: has path '1_Pooling' twice; each module needs a folder of its own");

        replace(
                "modules.json",
                "\"1_Pooling\", \"type\": \"sentence_transformers.models.Dense\"",
                "\"..\", \"type\": \"sentence_transformers.models.Dense\"");
        assertThat(faults()).anySatisfy(it -> assertThat(it).contains("modules.json", "path '..'"));

        replace("modules.json", "models.Transformer", "models.Pooling");
        assertThat(faults())
                .anySatisfy(it -> assertThat(it)
                        .contains("modules.json", "[Pooling, Pooling, Dense, Normalize]", "one Transformer, then one"));
    }

    private void prompts(String json) throws IOException {
        Files.writeString(folder.resolve("config_sentence_transformers.json"), json);
    }

    @Test
    void promptsAreKeptAsTheyAre() throws IOException {
        prompts("{'prompts': {'query': 'fox: ', 'document': null}, 'default_prompt_name': 'query'}".replace('\'', '"'));

        assertThat(settings().output())
                .isEqualTo(new EncoderSettings.Embedding(
                        40,
                        true,
                        new Prompts(
                                List.of(new Prompt("query", "fox: ", 0), new Prompt("document", "", 0)),
                                Optional.of("query"))));
    }

    @Test
    void namesPromptsThatCannotBeUsed() throws IOException {
        prompts("{\"prompts\": {\"query\": \"%s\", \"list\": []}, \"default_prompt_name\": \"none\"}"
                .formatted("a ".repeat(90)));

        assertThat(faults())
                .contains(
                        "config_sentence_transformers.json: has a prompt 'query' of 91 tokens, but a text has 80 at most; shorten it",
                        "config_sentence_transformers.json: has a prompt 'list' that is no text",
                        "config_sentence_transformers.json: has the default_prompt_name 'none', which is none of the prompts [query, list]");
    }
}
