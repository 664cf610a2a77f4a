package io.knabla.functions.decoder.config;

import io.knabla.functions.decoder.config.DecoderConfig.Attention;
import io.knabla.functions.decoder.config.DecoderConfig.FeedForward;
import io.knabla.functions.decoder.config.DecoderConfig.Layer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Reads GPT-2's config.json, whose keys have names of their own. */
final class Gpt2Reader {
    private static final double NORM_EPSILON = 1e-5;

    /** Width of the feed-forward network, where config.json has none, in widths of the model. */
    private static final int INNER_FACTOR = 4;

    private final ConfigObject config;

    Gpt2Reader(ConfigObject config) {
        this.config = config;
    }

    DecoderConfig read(Architecture architecture) {
        refuseOthers();
        int width = config.size("n_embd");
        int positions = config.size("n_positions");
        Attention attention = attention(architecture.bias() == Architecture.Bias.ALL);
        return new DecoderConfig(
                architecture,
                width,
                config.size("vocab_size"),
                Math.min(positions, config.size("n_ctx", positions)),
                positions,
                attention,
                feedForward(width),
                config.positive("layer_norm_epsilon", NORM_EPSILON),
                config.flag("tie_word_embeddings", architecture.tiesByDefault()),
                OptionalDouble.empty(),
                layers(attention.headWidth()),
                ConfigJson.endTokens(config));
    }

    private void refuseOthers() {
        if (config.flag("add_cross_attention", false)) {
            config.fault("add_cross_attention", "is true; a decoder is needed that reads nothing but its own text");
        }
        // It changes the order of 16-bit products only, and all are computed in 32 bits here.
        config.flag("reorder_and_upcast_attn", false);
    }

    private Attention attention(boolean biased) {
        int heads = config.size("n_head");
        // A width that is missing or wrong is a fault of its own, and none of the heads.
        int width = config.size("n_embd", ConfigJson.HEAD_MULTIPLE * heads);
        if (width % heads != 0) {
            config.fault("n_head", "is %d, which does not divide the n_embd of %d", heads, width);
        } else if (width / heads % ConfigJson.HEAD_MULTIPLE != 0) {
            config.fault(
                    "n_head",
                    "is %d, so a head has %d elements; the engine takes multiples of %d",
                    heads,
                    width / heads,
                    ConfigJson.HEAD_MULTIPLE);
        }
        return new Attention(heads, heads, Math.max(1, width / heads), OptionalDouble.empty(), biased, biased);
    }

    private FeedForward feedForward(int width) {
        return new FeedForward(
                config.size("n_inner", INNER_FACTOR * width),
                ConfigJson.activation(config, "activation_function", "gelu_new"),
                true,
                false);
    }

    private List<Layer> layers(int headWidth) {
        double scale = config.flag("scale_attn_weights", true) ? 1 / Math.sqrt(headWidth) : 1;
        boolean byLayer = config.flag("scale_attn_by_inverse_layer_idx", false);
        return IntStream.range(0, ConfigJson.layers(config, "n_layer"))
                .mapToObj(layer -> new Layer(0, Optional.empty(), byLayer ? scale / (layer + 1) : scale))
                .toList();
    }
}
