package io.knabla.functions.packaging.generation;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Fault;
import io.knabla.functions.decoder.TestModel;
import io.knabla.functions.packaging.FolderPackager;
import io.knabla.functions.packaging.PackagedFolder;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.storage.memory.MemoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GenerationPackagerTest {
    private final MemoryObjectStore store = new MemoryObjectStore();

    @TempDir
    Path parent;

    private Path folder;

    @BeforeEach
    void model() throws IOException {
        folder = TestModel.of("qwen3").write(parent.resolve("tiny"));
        write(
                "generation_config.json",
                "{\"eos_token_id\": [3, 1], \"temperature\": 0.6, \"top_k\": 20, \"top_p\": null}");
        write(
                "tokenizer_config.json",
                "{\"bos_token\": {\"content\": \"<s>\"}, \"eos_token\": \"</s>\", \"pad_token\": null, \"chat_template\": \"{{ messages[0].content }}\"}");
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private PackagedFolder packaging() {
        return new PackagedFolder(folder, FunctionType.Generation, store);
    }

    private PackagingResult.Packaged pack(String more) {
        return packaging().pack(more);
    }

    private List<Fault> faults(String more) {
        return packaging().faults(more);
    }

    private GenerationSettings settings(PackagingResult.Packaged packaged) {
        var manifest = (FileManifest) packaged.manifest();
        return GenerationSettings.parse(store.read(UnitStore.blobKey(
                        manifest.files().get("generation.json").digest()))
                .orElseThrow()
                .bytes());
    }

    @Test
    void holdsGraphWeightsTokenizerAndSettings() {
        PackagingResult.Packaged packaged = pack("");

        assertThat(((FileManifest) packaged.manifest()).files())
                .containsOnlyKeys("decoder.onnx", "weights.bin", "tokenizer.bin", "generation.json");
        assertThat(new UnitStore(store).holds(packaged.unit())).isTrue();
        GenerationSettings settings = settings(packaged);
        assertThat(settings.endTokens()).contains(1, 3);
        assertThat(settings.chatTemplate()).contains("{{ messages[0].content }}");
        assertThat(settings.specialTokens())
                .containsOnlyKeys("bos_token", "eos_token")
                .containsEntry("bos_token", "<s>");
        assertThat(settings.sampling()).isEqualTo(new SamplingDefaults(0.6, 1, 20, 1));
        assertThat(settings.limits().contextLength()).isEqualTo(128);
        assertThat(settings.limits().kvCacheBytes()).isEqualTo(16 * 128 * settings.bytesPerToken());
        assertThat(packaged.warnings()).isEmpty();
    }

    @Test
    void equalFilesGiveEqualUnits() throws IOException {
        assertThat(pack("").unit()).isEqualTo(pack("").unit());
        Path copy = TestModel.of("qwen3").write(parent.resolve("copy"));
        for (String name : List.of("generation_config.json", "tokenizer_config.json")) {
            Files.copy(folder.resolve(name), copy.resolve(name));
        }
        assertThat(((PackagingResult.Packaged)
                                FolderPackager.pack(copy, packaging().spec(""), store))
                        .unit())
                .isEqualTo(pack("").unit());
    }

    @Test
    void takesLimitsOfTheFile() {
        GenerationSettings settings = settings(
                pack(
                        ", generation: {contextLength: 64, maxSequences: 2, kvCache: {maxBytes: 1Mi}, queue: {max: 3, maxWait: 2s}}"));

        assertThat(settings.limits().contextLength()).isEqualTo(64);
        assertThat(settings.limits().maxSequences()).isEqualTo(2);
        assertThat(settings.limits().kvCacheBytes()).isEqualTo(1 << 20);
        assertThat(settings.limits().queue()).isEqualTo(3);
        assertThat(settings.limits().maxWaitMillis()).isEqualTo(2000);
    }

    /** Of 100 tokens a replica counts 112, and a quarter of its memory is for beginnings of prompts. */
    @Test
    void memoryHoldsAContextInWholeBlocksAndBeginningsOfPrompts() {
        long perToken = 196_608 / 128;
        GenerationLimits one = settings(pack(", generation: {contextLength: 100, maxSequences: 1}"))
                .limits();
        assertThat(one.kvCacheBytes()).isEqualTo(112 * perToken * 4 / 3);
        assertThat(faults(", generation: {contextLength: 100, kvCache: {maxBytes: 150Ki}}"))
                .hasSize(1)
                .first()
                .asString()
                .contains("100 tokens take %d bytes".formatted(112 * perToken));
    }

    /** A block has 64 tokens, and a quarter of the memory is for such. */
    @Test
    void warnsOfMemoryThatKeepsNothingOfAPrompt() {
        long least = 196_608 / 128 * 256;

        assertThat(pack(", generation: {kvCache: {maxBytes: %d}}".formatted(least))
                        .warnings())
                .isEmpty();
        assertThat(pack(", generation: {kvCache: {maxBytes: %d}}".formatted(least - 1))
                        .warnings())
                .singleElement()
                .asString()
                .contains("kvCache.maxBytes is 393215", "one context of 128 tokens", "write 1Mi or more");
    }

    /** Weights and tokenizer are those of before; the factors are measured later, from a graph with 32 bits. */
    @Test
    void keysAndValuesOf8BitsAreAQuarter() {
        PackagingResult.Packaged whole = pack("");
        PackagingResult.Packaged rounded = pack(", generation: {kvCache: {type: Int8}}");
        var before = ((FileManifest) whole.manifest()).files();
        var files = ((FileManifest) rounded.manifest()).files();

        assertThat(files)
                .containsOnlyKeys("decoder.onnx", "calibration.onnx", "weights.bin", "tokenizer.bin", "generation.json")
                .containsEntry("calibration.onnx", before.get("decoder.onnx"))
                .containsEntry("weights.bin", before.get("weights.bin"));
        assertThat(settings(rounded).shape()).isEqualTo(settings(whole).shape().with(CacheType.INT8));
        assertThat(settings(rounded).limits().kvCacheBytes())
                .isEqualTo(settings(whole).limits().kvCacheBytes() / 4);
        assertThat(faults(", generation: {contextLength: 1000, kvCache: {maxBytes: 64Ki}}"))
                .hasSize(2);
        assertThat(pack(", generation: {kvCache: {maxBytes: 96Ki, type: Int8}}").warnings())
                .isEmpty();
    }

    @Test
    void takesObjectivesOfTheFile() {
        assertThat(settings(pack("")).objectives()).isEqualTo(LatencyObjectives.NONE);
        assertThat(settings(pack(", generation: {objectives: {timeToFirstToken: 1s500ms, timePerOutputToken: 50ms}}"))
                        .objectives())
                .isEqualTo(new LatencyObjectives(
                        Optional.of(Duration.ofMillis(1500)), Optional.of(Duration.ofMillis(50))));
    }

    @Test
    void quantisedWeightsAreSmaller() {
        long whole = pack("").analysis().weightBytes();
        long bytes = pack(", quantize: {type: Int8, blockSize: 32}").analysis().weightBytes();

        assertThat(bytes).isLessThan(whole);
        assertThat(pack(", quantize: {type: Int4, blockSize: 32}").analysis().weightBytes())
                .isLessThan(bytes);
    }

    @Test
    void prefersTheTemplateThatHasItsOwnFile() throws IOException {
        write("chat_template.jinja", "{{ bos_token }}");

        assertThat(settings(pack("")).chatTemplate()).contains("{{ bos_token }}");
    }

    @Test
    void warnsOfWhatChatsLack() throws IOException {
        Files.delete(folder.resolve("tokenizer_config.json"));

        assertThat(pack("").warnings())
                .singleElement()
                .asString()
                .contains("no chat template", "/v1/completions works");
    }

    @Test
    void tellsAllFaultsAndStoresNothing() throws IOException {
        write("generation_config.json", "{\"top_p\": 7, \"eos_token_id\": 999}");
        write("tokenizer_config.json", "[");
        write("chat_template.jinja", "{% import 'x' %}");

        assertThat(faults(", generation: {contextLength: 100000, kvCache: {maxBytes: 1Mi}}"))
                .extracting(Fault::toString)
                .anySatisfy(it -> assertThat(it).contains("generation_config.json", "topP is 7.0"))
                .anySatisfy(it -> assertThat(it).contains("generation_config.json", "eos_token_id has 999"))
                .anySatisfy(it -> assertThat(it).contains("tokenizer_config.json", "is not JSON, at line 1"))
                .anySatisfy(it -> assertThat(it).contains("chat_template.jinja", "import"))
                .anySatisfy(it -> assertThat(it).contains("contextLength", "made for 128 tokens"));
        assertThat(store.list("")).isEmpty();
    }

    /** A model's file under the name of each. */
    @Test
    void refusesBytesThatAreNoText() throws IOException {
        for (String name : List.of(
                "config.json",
                "tokenizer.json",
                "model.safetensors",
                "generation_config.json",
                "tokenizer_config.json",
                "chat_template.jinja")) {
            Files.write(folder.resolve(name), new byte[] {8, 10, (byte) 0xff, (byte) 0xfe, 0, 1, 2, 3, 4});
        }

        assertThat(faults(""))
                .extracting(Fault::path)
                .contains(
                        "config.json",
                        "tokenizer.json",
                        "model.safetensors",
                        "generation_config.json",
                        "tokenizer_config.json",
                        "chat_template.jinja");
    }

    @Test
    void refusesMemoryBelowOneContext() {
        assertThat(faults(", generation: {kvCache: {maxBytes: 64Ki}}"))
                .singleElement()
                .asString()
                .contains("spec.generation.kvCache.maxBytes", "128 tokens take 196608 bytes", "write 1Mi or more");
    }
}
