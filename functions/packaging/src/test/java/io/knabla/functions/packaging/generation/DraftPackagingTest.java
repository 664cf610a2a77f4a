package io.knabla.functions.packaging.generation;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.TestModel;
import io.knabla.functions.packaging.FolderFiles;
import io.knabla.functions.packaging.PackagedFolder;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.Speculation;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Units with a second model, which drafts. */
class DraftPackagingTest {
    private static final String DRAFT = ", generation: {speculation: {type: Draft, model: ./small/, maxTokens: 3}%s}";
    private static final String FIELD = "spec.generation.speculation.model";

    private final MemoryObjectStore store = new MemoryObjectStore();

    @TempDir
    Path folder;

    private Path small;

    @BeforeEach
    void models() throws IOException {
        TestModel.of("qwen3").write(folder);
        small = TestModel.of("llama").write(folder.resolve("small"));
    }

    private PackagedFolder packaging() {
        return new PackagedFolder(folder, FunctionType.Generation, store);
    }

    private PackagingResult.Packaged pack(String more) {
        return packaging().pack(more);
    }

    private List<Fault> faults(String more) {
        return packaging().faults(DRAFT.formatted(more));
    }

    private void replaceInSmall(String file, String from, String to) throws IOException {
        String text = Files.readString(small.resolve(file));
        assertThat(text).contains(from);
        Files.writeString(small.resolve(file), text.replace(from, to));
    }

    @Test
    void holdsTheGraphAndWeightsOfBoth() {
        PackagingResult.Packaged alone = pack("");
        PackagingResult.Packaged both = pack(DRAFT.formatted(""));
        var files = ((FileManifest) both.manifest()).files();

        assertThat(files)
                .containsOnlyKeys(
                        "decoder.onnx",
                        "weights.bin",
                        "draft.onnx",
                        "draft-weights.bin",
                        "tokenizer.bin",
                        "generation.json")
                .containsAllEntriesOf(((FileManifest) alone.manifest())
                        .files().entrySet().stream()
                                .filter(file -> !file.getKey().equals("generation.json"))
                                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        assertThat(new UnitStore(store).holds(both.unit())).isTrue();
        var settings = GenerationSettings.parse(
                store.read(UnitStore.blobKey(files.get("generation.json").digest()))
                        .orElseThrow()
                        .bytes());
        assertThat(settings.speculation()).isInstanceOf(Speculation.Draft.class);
        assertThat(settings.speculation().mostTokens()).isEqualTo(3);
    }

    /** A replica's suggested memory is made of these. */
    @Test
    void countsTheMemoryOfBoth() {
        var alone = pack("").analysis();
        var both = pack(DRAFT.formatted("")).analysis();

        assertThat(both.weightBytes() - alone.weightBytes())
                .isEqualTo(((FileManifest) pack(DRAFT.formatted("")).manifest())
                        .files()
                        .get("draft-weights.bin")
                        .size());
        assertThat(both.peakMemoryBytes()).isGreaterThan(alone.peakMemoryBytes());
    }

    @Test
    void isQuantisedAsTheMainModelIs() {
        assertThat(pack(DRAFT.formatted("") + ", quantize: {type: Int4, blockSize: 32}")
                        .analysis()
                        .weightBytes())
                .isLessThan(pack(DRAFT.formatted("")).analysis().weightBytes() / 2);
    }

    @Test
    void sendsWhatPackagingReads() throws IOException {
        assertThat(FolderFiles.ofDraft(small))
                .containsExactlyInAnyOrder("config.json", "tokenizer.json", "model.safetensors");
        assertThat(FolderFiles.draftLocation("./a/small/", "config.json")).isEqualTo("a/small/config.json");
    }

    @Test
    void refusesAFolderThatIsNotThere() throws IOException {
        Files.delete(small.resolve("config.json"));

        assertThat(faults("")).singleElement().asString().contains(FIELD, "small/config.json: missing");
        assertThat(store.list("")).isEmpty();
    }

    @Test
    void refusesAnUnknownArchitecture() throws IOException {
        replaceInSmall("config.json", "LlamaForCausalLM", "LlamaForNothing");

        assertThat(faults("")).singleElement().asString().contains(FIELD, "small/config.json", "LlamaForNothing");
    }

    @Test
    void refusesAnotherTokenizer() throws IOException {
        replaceInSmall("tokenizer.json", "\"b\": 1, \"ab\": 2", "\"b\": 2, \"ab\": 1");

        assertThat(faults(""))
                .singleElement()
                .asString()
                .contains(FIELD, "the tokenizer of small is not the model's", "the same tokenizer.json");
    }

    @Test
    void refusesAShorterContext() throws IOException {
        replaceInSmall("config.json", "\"max_position_embeddings\" : 128", "\"max_position_embeddings\" : 64");

        assertThat(faults(""))
                .singleElement()
                .asString()
                .contains(
                        FIELD,
                        "small was made for 64 tokens",
                        "but a context has 128",
                        "set spec.generation.contextLength to 64 or less");
        assertThat(pack(", generation: {contextLength: 64, speculation: {type: Draft, model: small}}")
                        .warnings())
                .isNotNull();
    }

    @Test
    void tellsFaultsOfBothModelsAtOnce() throws IOException {
        Files.writeString(folder.resolve("config.json"), "[");
        Files.writeString(small.resolve("config.json"), "[");
        Files.delete(small.resolve("tokenizer.json"));

        assertThat(faults(""))
                .extracting(Fault::toString)
                .anySatisfy(it -> assertThat(it).startsWith("config.json"))
                .anySatisfy(it -> assertThat(it).contains(FIELD, "small/config.json"))
                .anySatisfy(it -> assertThat(it).contains(FIELD, "small/tokenizer.json"));
    }
}
