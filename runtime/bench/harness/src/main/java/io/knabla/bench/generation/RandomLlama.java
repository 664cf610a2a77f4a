package io.knabla.bench.generation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Writes a Llama of 64 million random weights in Hugging Face's form: 254 MB of 32-bit numbers, 36 MB in blocks of four
 * bits. Speed does not depend on what weights say.
 */
final class RandomLlama {
    /** Tokens; those below {@link #FIRST_WORD} have a meaning to some tokenizers. */
    static final int VOCABULARY = 32_000;

    static final int FIRST_WORD = 300;

    private static final int WIDTH = 512;
    private static final int INNER = 1408;
    private static final int LAYERS = 16;
    private static final int HEADS = 8;
    private static final int KEY_VALUE_HEADS = 4;
    private static final int HEAD_WIDTH = 64;
    private static final int CONTEXT = 4096;
    private static final double DEVIATION = 0.02;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Values> tensors = new ArrayList<>();

    private RandomLlama() {}

    /** A prompt of random tokens. */
    static int[] words(int count, RandomGenerator random) {
        return random.ints(count, FIRST_WORD, VOCABULARY).toArray();
    }

    static Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        JSON.writeValue(folder.resolve("config.json").toFile(), config());
        JSON.writeValue(folder.resolve("tokenizer.json").toFile(), tokenizer());
        JSON.writeValue(
                folder.resolve("tokenizer_config.json").toFile(),
                Map.of("tokenizer_class", "PreTrainedTokenizerFast", "model_max_length", CONTEXT));
        try (InputStream in = SafeTensors.content(new RandomLlama().weights(), Map.of("format", "pt"))
                .open()) {
            Files.copy(in, folder.resolve("model.safetensors"));
        }
        return folder;
    }

    private static Map<String, Object> config() {
        return Map.ofEntries(
                Map.entry("architectures", List.of("LlamaForCausalLM")),
                Map.entry("model_type", "llama"),
                Map.entry("hidden_act", "silu"),
                Map.entry("hidden_size", WIDTH),
                Map.entry("intermediate_size", INNER),
                Map.entry("num_hidden_layers", LAYERS),
                Map.entry("num_attention_heads", HEADS),
                Map.entry("num_key_value_heads", KEY_VALUE_HEADS),
                Map.entry("head_dim", HEAD_WIDTH),
                Map.entry("vocab_size", VOCABULARY),
                Map.entry("max_position_embeddings", CONTEXT),
                Map.entry("rms_norm_eps", 1e-5),
                Map.entry("rope_theta", 10_000.0),
                Map.entry("tie_word_embeddings", true),
                Map.entry("bos_token_id", 1),
                Map.entry("eos_token_id", 2),
                Map.entry("torch_dtype", "float32"));
    }

    private static ObjectNode tokenizer() {
        ObjectNode tokenizer = JSON.createObjectNode().put("version", "1.0");
        tokenizer.putArray("added_tokens");
        ObjectNode model = tokenizer.putObject("model").put("type", "BPE");
        ObjectNode ids = model.putObject("vocab");
        for (int id = 0; id < VOCABULARY; id++) {
            ids.put("w" + id, id);
        }
        model.putArray("merges");
        return tokenizer;
    }

    private List<Values> weights() {
        add("model.embed_tokens", VOCABULARY, WIDTH);
        add("model.norm", WIDTH);
        for (int layer = 0; layer < LAYERS; layer++) {
            String at = "model.layers.%d.".formatted(layer);
            add(at + "input_layernorm", WIDTH);
            add(at + "self_attn.q_proj", HEADS * HEAD_WIDTH, WIDTH);
            add(at + "self_attn.k_proj", KEY_VALUE_HEADS * HEAD_WIDTH, WIDTH);
            add(at + "self_attn.v_proj", KEY_VALUE_HEADS * HEAD_WIDTH, WIDTH);
            add(at + "self_attn.o_proj", WIDTH, HEADS * HEAD_WIDTH);
            add(at + "post_attention_layernorm", WIDTH);
            add(at + "mlp.gate_proj", INNER, WIDTH);
            add(at + "mlp.up_proj", INNER, WIDTH);
            add(at + "mlp.down_proj", WIDTH, INNER);
        }
        return tensors;
    }

    /** A matrix of random numbers, or a vector of ones. */
    private void add(String name, int... shape) {
        int count = 1;
        List<Long> sizes = new ArrayList<>();
        for (int size : shape) {
            count *= size;
            sizes.add((long) size);
        }
        var bytes = ByteBuffer.allocate(count * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(shape.length == 1 ? 1 : (float) (random.nextGaussian() * DEVIATION));
        }
        var spec = new TensorSpec(name + ".weight", DataType.FP32, sizes, Collections.nCopies(shape.length, ""));
        tensors.add(new Values(spec, bytes.flip()));
    }
}
