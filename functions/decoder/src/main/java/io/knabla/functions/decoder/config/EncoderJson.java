package io.knabla.functions.decoder.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.functions.Fault;
import io.knabla.functions.decoder.config.EncoderArchitecture.Family;
import io.knabla.functions.decoder.config.EncoderArchitecture.Head;
import io.knabla.functions.decoder.config.EncoderConfig.FeedForward;
import io.knabla.functions.decoder.config.EncoderConfig.ScoreFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads an encoder's config.json as <a href="https://github.com/huggingface/transformers">transformers</a> writes it.
 */
public final class EncoderJson {
    private static final int POSITION_BUCKETS = 32;

    private final JsonNode root;
    private final ConfigObject config;

    private EncoderJson(JsonNode root, List<Fault> faults) {
        this.root = root;
        this.config = new ConfigObject(root, ConfigJson.FILE + ": ", faults);
    }

    /** Reads the sizes; empty, with all that is wrong told in {@code faults}, if the file cannot be used. */
    public static Optional<EncoderConfig> read(byte[] json, List<Fault> faults) {
        List<Fault> own = new ArrayList<>();
        Optional<EncoderConfig> read = ConfigJson.parsed(json, own).flatMap(root -> new EncoderJson(root, own).read());
        own.stream().distinct().forEach(faults::add);
        return own.isEmpty() ? read : Optional.empty();
    }

    /** Whether the file is that of an encoder; of a decoder if it is not, or if it cannot be read. */
    public static boolean isEncoder(byte[] json) {
        List<Fault> unread = new ArrayList<>();
        return ConfigJson.parsed(json, unread)
                .map(root -> new ConfigObject(root, "", unread).texts("architectures"))
                .filter(names -> names.stream().anyMatch(EncoderArchitecture::isLike))
                .isPresent();
    }

    private Optional<EncoderConfig> read() {
        List<String> names = config.texts("architectures");
        if (names.size() != 1) {
            config.fault(
                    "architectures",
                    "is %s; one is needed, of %s",
                    names,
                    String.join(", ", EncoderArchitecture.names()));
            return Optional.empty();
        }
        Optional<EncoderArchitecture> known = EncoderArchitecture.of(names.getFirst());
        if (known.isEmpty()) {
            config.fault(
                    "architectures",
                    "unknown architecture '%s'%s",
                    names.getFirst(),
                    ConfigJson.known(names.getFirst(), EncoderArchitecture.names()));
        }
        return known.map(this::read);
    }

    private EncoderConfig read(EncoderArchitecture architecture) {
        ConfigJson.refuseQuantised(config);
        refuseOthers();
        var keys = EncoderKeys.of(architecture.family());
        int vocabulary = config.size("vocab_size");
        var read = new EncoderConfig(
                architecture,
                config.size(keys.width()),
                vocabulary,
                config.size("max_position_embeddings"),
                types(architecture.family()),
                positionBuckets(architecture.family()),
                layers(keys),
                heads(keys),
                feedForward(keys),
                config.positive(keys.normEpsilon(), normEpsilon(architecture.family())),
                padToken(architecture, vocabulary),
                modern(architecture.family(), keys),
                architecture.head() == Head.SCORE ? score() : ScoreFunction.IDENTITY);
        if (read.maxTokens() < 1) {
            config.fault(
                    "max_position_embeddings",
                    "is %d, which leaves no position behind pad_token_id %d",
                    read.positions(),
                    read.padToken());
        }
        return read;
    }

    private void refuseOthers() {
        String positions = config.text("position_embedding_type", "absolute");
        if (!positions.equals("absolute")) {
            config.fault("position_embedding_type", "is '%s'; only absolute positions are known", positions);
        }
        if (config.flag("is_decoder", false)) {
            config.fault("is_decoder", "is true; an encoder is needed, which reads a text in both directions");
        }
    }

    private int types(Family family) {
        return switch (family) {
            case BERT, ROBERTA -> config.size("type_vocab_size", 2);
            case MPNET, DISTILBERT, MODERNBERT -> 0;
        };
    }

    private int positionBuckets(Family family) {
        return switch (family) {
            case BERT, ROBERTA, DISTILBERT, MODERNBERT -> 0;
            case MPNET -> positionBuckets();
        };
    }

    /** Transformers reads the number, and computes with 32 whatever it is. */
    private int positionBuckets() {
        String key = "relative_attention_num_buckets";
        int given = config.size(key, POSITION_BUCKETS);
        if (given != POSITION_BUCKETS) {
            config.fault(key, "is %d; only %d are known", given, POSITION_BUCKETS);
        }
        return POSITION_BUCKETS;
    }

    private int layers(EncoderKeys keys) {
        int layers = config.size(keys.layers());
        if (layers > ConfigJson.MAX_LAYERS) {
            config.fault(keys.layers(), "is %d; at most %d are allowed", layers, ConfigJson.MAX_LAYERS);
            return 1;
        }
        return layers;
    }

    private int heads(EncoderKeys keys) {
        int heads = config.size(keys.heads());
        int width = config.size(keys.width(), heads);
        if (width % heads != 0) {
            config.fault(keys.heads(), "is %d, which does not divide the %s of %d", heads, keys.width(), width);
        }
        return heads;
    }

    private FeedForward feedForward(EncoderKeys keys) {
        return new FeedForward(config.size(keys.innerWidth()), activation(config, keys.activation()));
    }

    static Activation activation(ConfigObject config, String key) {
        String name = config.text(key, "gelu");
        return switch (name) {
            case "gelu" -> Activation.GELU;
            case "gelu_new", "gelu_pytorch_tanh" -> Activation.GELU_TANH;
            case "relu" -> Activation.RELU;
            default -> {
                config.fault(key, "unknown activation '%s'; known are gelu, gelu_new, relu", name);
                yield Activation.GELU;
            }
        };
    }

    private Optional<ModernBert> modern(Family family, EncoderKeys keys) {
        if (family != Family.MODERNBERT) {
            return Optional.empty();
        }
        int headWidth = config.size(keys.width()) / config.size(keys.heads());
        return Optional.of(new ModernBertReader(config, headWidth).read(layers(keys)));
    }

    /** As the configurations of transformers have it. */
    private static double normEpsilon(Family family) {
        return switch (family) {
            case BERT, ROBERTA, MPNET, DISTILBERT -> 1e-12;
            case MODERNBERT -> 1e-5;
        };
    }

    private int padToken(EncoderArchitecture architecture, int vocabulary) {
        int usual = switch (architecture.family()) {
            case BERT, DISTILBERT -> 0;
            case ROBERTA, MPNET -> 1;
            case MODERNBERT -> 50_283;
        };
        List<Integer> ids = config.integers("pad_token_id");
        int id = ids.isEmpty() ? usual : ids.getFirst();
        if (id >= vocabulary) {
            config.fault("pad_token_id", "is %d, but there are %d tokens (vocab_size)", id, vocabulary);
            return 0;
        }
        return id;
    }

    /** As sentence-transformers' CrossEncoder chooses it for one label. */
    private ScoreFunction score() {
        int labels = root.path("id2label").isObject() ? root.path("id2label").size() : config.size("num_labels", 2);
        if (labels != 1) {
            config.fault("id2label", "has %d labels; texts are ranked by a model with one", labels);
        }
        String name = config.text(
                "sbert_ce_default_activation_function",
                config.object("sentence_transformers").text("activation_fn", "Sigmoid"));
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "Identity" -> ScoreFunction.IDENTITY;
            case "Sigmoid" -> ScoreFunction.SIGMOID;
            default -> {
                config.fault("sbert_ce_default_activation_function", "is '%s'; known are Identity and Sigmoid", name);
                yield ScoreFunction.IDENTITY;
            }
        };
    }
}
