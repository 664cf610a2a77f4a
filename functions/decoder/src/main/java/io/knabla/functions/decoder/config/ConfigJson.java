package io.knabla.functions.decoder.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.DecoderConfig.Attention;
import io.knabla.functions.decoder.config.DecoderConfig.FeedForward;
import io.knabla.functions.spec.SpellingHints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads config.json as <a href="https://github.com/huggingface/transformers">transformers</a> 4 and 5 write it. */
public final class ConfigJson {
    static final String FILE = "config.json";
    static final int MAX_LAYERS = 1024;

    /** Of ONNX Runtime's GroupQueryAttention with rotary positions. */
    static final int HEAD_MULTIPLE = 16;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(50).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .build();

    private final ConfigObject config;

    private ConfigJson(ConfigObject config) {
        this.config = config;
    }

    /** Result of reading: the sizes, or all that is wrong with the file. */
    public sealed interface Result {
        record Read(DecoderConfig config) implements Result {}

        record Refused(List<Fault> faults) implements Result {}
    }

    public static Result read(byte[] json) {
        List<Fault> faults = new ArrayList<>();
        Optional<JsonNode> root = parsed(json, faults);
        Optional<DecoderConfig> read =
                root.flatMap(object -> new ConfigJson(new ConfigObject(object, FILE + ": ", faults)).read());
        return read.isPresent() && faults.isEmpty()
                ? new Result.Read(read.get())
                : new Result.Refused(faults.stream().distinct().toList());
    }

    /** The file's object; empty, with a fault, if there is none. */
    static Optional<JsonNode> parsed(byte[] json, List<Fault> faults) {
        try {
            JsonNode root = JSON.readTree(json);
            if (root.isObject()) {
                return Optional.of(root);
            }
            faults.add(new Fault(FILE, "is no JSON object"));
        } catch (JsonProcessingException broken) {
            faults.add(new Fault(
                    FILE,
                    "is not JSON, or has a key twice, at line %d, column %d"
                            .formatted(
                                    broken.getLocation().getLineNr(),
                                    broken.getLocation().getColumnNr())));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Optional.empty();
    }

    private Optional<DecoderConfig> read() {
        List<String> names = config.texts("architectures");
        if (names.size() != 1) {
            config.fault(
                    "architectures", "is %s; one is needed, of %s", names, String.join(", ", Architecture.names()));
            return Optional.empty();
        }
        Optional<Architecture> known = Architecture.of(names.getFirst());
        if (known.isEmpty()) {
            config.fault("architectures", "unknown architecture '%s'%s", names.getFirst(), known(names.getFirst()));
        }
        return known.map(this::read);
    }

    private static String known(String name) {
        return known(name, Architecture.names());
    }

    /** Says which architectures are known, and the nearest of them. */
    static String known(String name, List<String> names) {
        String near = SpellingHints.closest(name, names, 1).stream()
                .map("; the nearest known one is %s"::formatted)
                .findFirst()
                .orElse("");
        return near + "; known are " + String.join(", ", names);
    }

    private DecoderConfig read(Architecture architecture) {
        refuseQuantised(config);
        return switch (architecture.family()) {
            case LLAMA -> llama(architecture);
            case GPT2 -> new Gpt2Reader(config).read(architecture);
        };
    }

    private DecoderConfig llama(Architecture architecture) {
        int contextLength = config.size("max_position_embeddings");
        Attention attention = attention(architecture);
        return new DecoderConfig(
                architecture,
                config.size("hidden_size"),
                config.size("vocab_size"),
                contextLength,
                0,
                attention,
                feedForward(),
                config.positive("rms_norm_eps", 1e-6),
                config.flag("tie_word_embeddings", architecture.tiesByDefault()),
                config.positive("final_logit_softcapping"),
                new LayerReader(config, architecture, contextLength, attention.headWidth())
                        .layers(layers(config, "num_hidden_layers"), scale(attention.headWidth())),
                endTokens(config));
    }

    private double scale(int headWidth) {
        return 1 / Math.sqrt(config.positive("query_pre_attn_scalar", headWidth));
    }

    static List<Integer> endTokens(ConfigObject config) {
        List<Integer> ids = config.integers("eos_token_id");
        int vocabulary = config.size("vocab_size", ConfigObject.MAX_SIZE);
        ids.stream()
                .filter(id -> id >= vocabulary)
                .forEach(id -> config.fault(
                        "eos_token_id", "has %d; a token of this model is 0 to %d (vocab_size)", id, vocabulary - 1));
        return ids;
    }

    static int layers(ConfigObject config, String key) {
        int layers = config.size(key);
        if (layers > MAX_LAYERS) {
            config.fault(key, "is %d; at most %d are allowed", layers, MAX_LAYERS);
            return 1;
        }
        return layers;
    }

    /** Weights of GPTQ, AWQ and others have names and forms of their own. */
    static void refuseQuantised(ConfigObject config) {
        if (config.has("quantization_config")) {
            config.fault(
                    "quantization_config",
                    "the weights are quantised already; give the model's folder before that, and say quantize in function.yaml");
        }
    }

    private Attention attention(Architecture architecture) {
        int heads = config.size("num_attention_heads");
        int keyValueHeads = config.size("num_key_value_heads", heads);
        if (heads % keyValueHeads != 0) {
            config.fault(
                    "num_key_value_heads", "is %d, which does not divide the %d attention heads", keyValueHeads, heads);
        }
        int headWidth = config.size("head_dim", Math.max(1, config.size("hidden_size", HEAD_MULTIPLE * heads) / heads));
        if (headWidth % HEAD_MULTIPLE != 0) {
            config.fault("head_dim", "is %d; the engine takes multiples of %d", headWidth, HEAD_MULTIPLE);
        }
        RopeReader.checkRotatesWhole(config);
        boolean biased =
                architecture.bias() == Architecture.Bias.ATTENTION_BIAS && config.flag("attention_bias", false);
        return new Attention(
                heads,
                keyValueHeads,
                headWidth,
                config.positive("attn_logit_softcapping"),
                biased || architecture.bias() == Architecture.Bias.INPUT,
                biased);
    }

    private FeedForward feedForward() {
        String key = config.has("hidden_activation") ? "hidden_activation" : "hidden_act";
        return new FeedForward(
                config.size("intermediate_size"),
                activation(config, key, "silu"),
                config.flag("mlp_bias", false),
                true);
    }

    static Activation activation(ConfigObject config, String key, String usual) {
        String name = config.text(key, usual);
        return switch (name) {
            case "silu", "swish" -> Activation.SILU;
            case "gelu" -> Activation.GELU;
            case "gelu_pytorch_tanh", "gelu_new" -> Activation.GELU_TANH;
            default -> {
                config.fault(
                        key, "unknown activation '%s'; known are silu, swish, gelu, gelu_new, gelu_pytorch_tanh", name);
                yield Activation.SILU;
            }
        };
    }
}
