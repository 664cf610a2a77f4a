package io.knabla.functions.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Fault;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.safetensors.SafeTensors;
import io.knabla.functions.unit.safetensors.SafeTensors.Values;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFolderTest {
    private static final TestModel LLAMA = TestModel.of("llama");
    private static final TestModel GPT2 = TestModel.of("gpt2");

    @TempDir
    Path parent;

    private Path folder() {
        return parent.resolve("model");
    }

    private static List<String> faults(Path folder) throws IOException {
        return switch (DecoderAnalysis.of(folder)) {
            case DecoderAnalysis.Result.Refused(var faults) ->
                faults.stream().map(Fault::toString).toList();
            case DecoderAnalysis.Result.Done _ -> List.of();
        };
    }

    private static DecoderAnalysis analysis(Path folder) throws IOException {
        return switch (DecoderAnalysis.of(folder)) {
            case DecoderAnalysis.Result.Refused(var faults) -> throw new AssertionError(faults);
            case DecoderAnalysis.Result.Done(var analysis) -> analysis;
        };
    }

    private Path config(String key, String json) throws IOException {
        return config(LLAMA, key, json);
    }

    private Path config(TestModel model, String key, String json) throws IOException {
        var config = (ObjectNode) model.config().deepCopy();
        config.set(key, new JsonMapper().readTree(json));
        return new TestModel("changed", config, model.expected()).write(folder());
    }

    @Test
    void countsWeightsAndWork() throws IOException {
        DecoderAnalysis analysis = analysis(LLAMA.write(folder()));

        long attention = 64 * 64 + 2 * 32 * 64 + 64 * 64;
        long layers = 3 * (attention + 3 * 48 * 64 + 2 * 64);
        assertThat(analysis.parameters()).isEqualTo(2 * 96 * 64 + 64 + layers);
        assertThat(analysis.flopsPerToken()).isEqualTo(2 * (96 * 64 + 64 + layers));
        assertThat(analysis.keyValueBytesPerToken()).isEqualTo(2 * 4 * 32 * 3);
        assertThat(analysis.precisions()).extracting(cost -> cost.name()).containsExactly("None", "Int8", "Int4");
        assertThat(analysis.precisions().getLast().bytesPerToken())
                .isLessThan(analysis.precisions().getFirst().bytesPerToken() / 7);
    }

    @Test
    void readsHalfPrecisionOfSeveralFiles() throws IOException {
        List<Values> all = LLAMA.weights().stream().map(ModelFolderTest::halved).toList();
        Path folder = LLAMA.write(folder(), all);
        Files.delete(folder.resolve("model.safetensors"));
        write(folder.resolve("a.safetensors"), all.subList(0, 7));
        write(folder.resolve("b.safetensors"), all.subList(7, all.size()));
        index(folder, all);

        assertThat(faults(folder)).isEmpty();

        Files.delete(folder.resolve("b.safetensors"));
        assertThat(faults(folder)).containsExactly("b.safetensors: missing; model.safetensors.index.json names it");
    }

    private static void index(Path folder, List<Values> all) throws IOException {
        var lines = new ArrayList<String>();
        for (int i = 0; i < all.size(); i++) {
            lines.add("\"%s\":\"%s.safetensors\"".formatted(all.get(i).spec().name(), i < 7 ? "a" : "b"));
        }
        Files.writeString(
                folder.resolve("model.safetensors.index.json"), "{\"weight_map\":{" + String.join(",", lines) + "}}");
    }

    private static void write(Path file, List<Values> weights) throws IOException {
        try (InputStream in = SafeTensors.content(weights, Map.of()).open()) {
            Files.copy(in, file);
        }
    }

    private static Values halved(Values values) {
        var from = values.bytes().duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        ByteBuffer to = ByteBuffer.allocate(from.remaining() * 2).order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            to.putShort((short) (Float.floatToRawIntBits(from.get()) >>> 16));
        }
        TensorSpec spec = values.spec();
        return new Values(new TensorSpec(spec.name(), DataType.BF16, spec.shape(), spec.symbols()), to.flip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "architectures | [\"LlamaForCausalML\"] | the nearest known one is LlamaForCausalLM; known are",
                "architectures | [\"BertModel\"] | unknown architecture 'BertModel'; known are LlamaForCausalLM",
                "architectures | [] | is []; one is needed, of LlamaForCausalLM",
                "hidden_size | 0 | config.json: hidden_size: is 0; write a whole number of 1 to 16777216",
                "hidden_size | null | config.json: hidden_size: missing; write a whole number",
                "vocab_size | 2147483648 | vocab_size: is 2147483648; write a whole number",
                "num_hidden_layers | 100000 | num_hidden_layers: is 100000; at most 1024",
                "num_key_value_heads | 3 | is 3, which does not divide the 4 attention heads",
                "head_dim | 24 | is 24; the engine takes multiples of 16",
                "hidden_act | \"relu\" | unknown activation 'relu'; known are silu, swish, gelu, gelu_new, gelu_pytorch_tanh",
                "rms_norm_eps | -1 | rms_norm_eps: is -1; write a number above 0",
                "rope_parameters | {\"rope_type\":\"longrope\"} | unknown scaling 'longrope'; known are default, linear",
                "rope_parameters | {\"rope_type\":\"linear\"} | config.json: rope_parameters.factor: missing",
                "quantization_config | {\"quant_method\":\"gptq\"} | the weights are quantised already",
                "eos_token_id | [2, 96] | config.json: eos_token_id: has 96; a token of this model is 0 to 95 (vocab_size)",
                "partial_rotary_factor | 0.5 | only heads that are rotated whole are known",
                "rope_parameters | {\"partial_rotary_factor\":0.75} | rope_parameters.partial_rotary_factor: only heads that are",
            })
    void refusesConfigurations(String key, String json, String sentence) throws IOException {
        assertThat(faults(config(key, json))).anyMatch(fault -> fault.contains(sentence));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "n_embd | null | config.json: n_embd: missing; write a whole number",
                "n_positions | null | config.json: n_positions: missing; write a whole number",
                "n_layer | 100000 | n_layer: is 100000; at most 1024",
                "n_head | 3 | n_head: is 3, which does not divide the n_embd of 64",
                "n_head | 8 | n_head: is 8, so a head has 8 elements; the engine takes multiples of 16",
                "activation_function | \"relu\" | activation_function: unknown activation 'relu'; known are silu, swish, gelu, gelu_new",
                "layer_norm_epsilon | 0 | layer_norm_epsilon: is 0; write a number above 0",
                "scale_attn_weights | 1 | scale_attn_weights: is 1; write true or false",
                "eos_token_id | 50256 | config.json: eos_token_id: has 50256; a token of this model is 0 to 95 (vocab_size)",
                "add_cross_attention | true | add_cross_attention: is true; a decoder is needed",
                "n_inner | null | h.0.mlp.c_fc.weight: has shape [64, 48]; by config.json it must be [64, 256]",
                "n_positions | 64 | wpe.weight: has shape [128, 64]; by config.json it must be [64, 64]",
            })
    void refusesConfigurationsOfGpt2(String key, String json, String sentence) throws IOException {
        assertThat(faults(config(GPT2, key, json))).anyMatch(fault -> fault.contains(sentence));
    }

    /** What follows from a wrong value is not told, nor the same fault for each precision. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "n_embd | -1 | config.json: n_embd: is -1; write a whole number",
                "n_embd | null | config.json: n_embd: missing; write a whole number",
                "n_head | 0 | config.json: n_head: is 0; write a whole number",
                "vocab_size | \"x\" | config.json: vocab_size: is \"x\"; write a whole number",
                "n_positions | \"x\" | config.json: n_positions: is \"x\"; write a whole number",
                "activation_function | 7 | config.json: activation_function: is 7; write a text",
                "tie_word_embeddings | false | lm_head.weight: no such tensor in the folder; one of shape [96, 64]",
                "vocab_size | 97 | transformer.wte.weight: has shape [96, 64]; by config.json it must be [97, 64]",
            })
    void tellsAWrongValueOfGpt2Once(String key, String json, String start) throws IOException {
        assertThat(faults(config(GPT2, key, json))).singleElement().asString().startsWith(start);
    }

    /** Weights of the model without its head, as older versions of transformers wrote them. */
    @Test
    void readsGpt2WithoutPrefixAndWithMasks() throws IOException {
        List<Values> weights = new ArrayList<>();
        for (Values values : GPT2.weights()) {
            weights.add(renamed(values, values.spec().name().replaceFirst("^transformer\\.", "")));
        }
        Values some = weights.getFirst();
        weights.add(renamed(some, "h.0.attn.bias"));
        weights.add(renamed(some, "h.0.attn.masked_bias"));

        DecoderAnalysis analysis = analysis(GPT2.write(folder(), weights));

        long layers = 3 * (64 * (3 * 64 + 64 + 2 * 48) + 3 * 64 + 64 + 48 + 64 + 4 * 64);
        assertThat(analysis.parameters()).isEqualTo((96 + 128) * 64 + 2 * 64 + layers);
        assertThat(analysis.flopsPerToken()).isEqualTo(2 * (96 * 64 + 2 * 64 + layers));
        assertThat(analysis.contextLength()).isEqualTo(128);
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "200, 128"})
    void boundsTheContextOfGpt2ByBothOfItsSizes(String size, int expected) throws IOException {
        assertThat(analysis(config(GPT2, "n_ctx", size)).contextLength()).isEqualTo(expected);
    }

    @Test
    void tellsAllFaultsAtOnce() throws IOException {
        var config = (ObjectNode) LLAMA.config().deepCopy();
        config.put("hidden_size", -1).put("hidden_act", "relu").remove("vocab_size");
        Path folder = new TestModel("changed", config, LLAMA.expected()).write(folder());
        Files.delete(folder.resolve("model.safetensors"));
        Files.writeString(folder.resolve("pytorch_model.bin"), "");

        assertThat(faults(folder))
                .hasSize(4)
                .anyMatch(fault -> fault.startsWith("config.json: hidden_size: is -1"))
                .anyMatch(fault -> fault.startsWith("config.json: vocab_size: missing"))
                .anyMatch(fault -> fault.startsWith("config.json: hidden_act: unknown"))
                .contains("model.safetensors: missing; pytorch_model.bin cannot be read; in Python,"
                        + " model.save_pretrained(FOLDER) writes safetensors");
    }

    @Test
    void refusesWeightsThatDoNotFit() throws IOException {
        List<Values> weights = new ArrayList<>(LLAMA.weights());
        Values norm = weights.removeLast();
        weights.removeIf(values -> values.spec().name().equals("model.layers.1.mlp.up_proj.weight"));
        weights.add(renamed(norm, "model.layers.0.self_attn.sinks"));

        assertThat(faults(LLAMA.write(folder(), weights)))
                .contains(
                        "model.layers.1.mlp.up_proj.weight: no such tensor in the folder; one of shape [48, 64] is needed",
                        "model.layers.0.self_attn.sinks: this architecture has no such tensor, so the model would compute"
                                + " something else");
    }

    @Test
    void refusesOtherShapes() throws IOException {
        assertThat(faults(config("intermediate_size", "47")))
                .contains("model.layers.0.mlp.up_proj.weight: has shape [48, 64]; by config.json it must be [47, 64]");
    }

    @Test
    void countsFaultsOfManyTensors() throws IOException {
        assertThat(faults(config("hidden_size", "48"))).hasSize(21).last().isEqualTo("… and 10 more tensors");
    }

    private static Values renamed(Values values, String name) {
        TensorSpec spec = values.spec();
        return new Values(new TensorSpec(name, spec.datatype(), spec.shape(), spec.symbols()), values.bytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 9, 100, -1, -4096})
    void refusesTruncatedWeights(int length) throws IOException {
        Path file = LLAMA.write(folder()).resolve("model.safetensors");
        byte[] all = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(all, length < 0 ? all.length + length : length));

        assertThat(faults(folder())).singleElement().asString().startsWith("model.safetensors: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"a\":1,\"a\":2}", "null"})
    void refusesWhatIsNoConfiguration(String json) throws IOException {
        Path folder = LLAMA.write(folder());
        Files.writeString(folder.resolve("config.json"), json);

        assertThat(faults(folder)).singleElement().asString().startsWith("config.json: ");
    }

    @Test
    void refusesTokenizers() throws IOException {
        Path folder = LLAMA.write(folder());
        Path tokenizer = folder.resolve("tokenizer.json");
        String json = Files.readString(tokenizer);

        Files.writeString(tokenizer, json.replace("\"a b\"", "\"a c\"").replace("\"BPE\"", "\"BEP\""));
        assertThat(faults(folder)).isNotEmpty().allMatch(fault -> fault.startsWith("tokenizer.json: "));
        Files.writeString(tokenizer, json.replace("\"ab\": 2", "\"ab\": 96"));
        assertThat(faults(folder))
                .containsExactly("tokenizer.json: has ids up to 96, but the model takes 96 tokens (vocab_size of"
                        + " config.json); give the tokenizer of this model");
        Files.delete(tokenizer);
        Files.writeString(folder.resolve("tokenizer.model"), "");
        assertThat(faults(folder)).singleElement().asString().startsWith("tokenizer.json: missing; tokenizer.model");
    }

    @Test
    void refusesIndexesThatLeaveTheFolder() throws IOException {
        Path folder = LLAMA.write(folder());
        Files.move(folder.resolve("model.safetensors"), parent.resolve("other.safetensors"));
        Files.writeString(
                folder.resolve("model.safetensors.index.json"), "{\"weight_map\":{\"a\":\"../other.safetensors\"}}");

        assertThat(faults(folder))
                .contains(
                        "model.safetensors.index.json: names '../other.safetensors'; a file's name in this folder is needed");
    }
}
