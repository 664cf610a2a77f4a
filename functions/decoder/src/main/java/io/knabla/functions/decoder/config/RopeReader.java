package io.knabla.functions.decoder.config;

import io.knabla.functions.decoder.config.Rope.Scaling;

/** Reads the scaling of rotary positions. */
final class RopeReader {
    private final int contextLength;
    private final int headWidth;

    RopeReader(int contextLength, int headWidth) {
        this.contextLength = contextLength;
        this.headWidth = headWidth;
    }

    /** @param scaling {@code rope_scaling} or {@code rope_parameters}; may be empty */
    Rope read(ConfigObject scaling, double theta) {
        if (headWidth * Math.log(theta) == 0) {
            scaling.fault("rope_theta", "is %s; write a number above 1", theta);
        }
        checkRotatesWhole(scaling);
        return new Rope(theta, scaling(scaling));
    }

    /** @param config with {@code partial_rotary_factor}, which transformers 5 moved to {@code rope_parameters} */
    static void checkRotatesWhole(ConfigObject config) {
        if (config.positive("partial_rotary_factor", 1) != 1) {
            config.fault("partial_rotary_factor", "only heads that are rotated whole are known, factor 1");
        }
    }

    private Scaling scaling(ConfigObject scaling) {
        String key = scaling.has("type") ? "type" : "rope_type";
        String type = scaling.text(key, "default");
        return switch (type) {
            case "default" -> new Rope.None();
            case "linear" -> new Rope.Linear(factor(scaling));
            case "llama3" ->
                new Rope.Llama3(
                        factor(scaling),
                        scaling.positive("low_freq_factor", 1),
                        scaling.positive("high_freq_factor", 4),
                        originalContext(scaling));
            case "yarn" -> yarn(scaling);
            default -> {
                scaling.fault(key, "unknown scaling '%s'; known are default, linear, llama3, yarn", type);
                yield new Rope.None();
            }
        };
    }

    private Scaling yarn(ConfigObject scaling) {
        double factor = factor(scaling);
        double attention = scaling.positive("attention_factor", attentionFactor(scaling, factor));
        return new Rope.Yarn(
                factor,
                scaling.positive("beta_fast", 32),
                scaling.positive("beta_slow", 1),
                originalContext(scaling),
                attention,
                scaling.flag("truncate", true));
    }

    /** The paper's, or the quotient of two of them, as DeepSeek's models have it. */
    private static double attentionFactor(ConfigObject scaling, double factor) {
        var whole = scaling.positive("mscale");
        var part = scaling.positive("mscale_all_dim");
        return whole.isPresent() && part.isPresent()
                ? attentionFactor(factor, whole.getAsDouble()) / attentionFactor(factor, part.getAsDouble())
                : attentionFactor(factor, 1);
    }

    private static double attentionFactor(double factor, double scale) {
        return factor <= 1 ? 1 : 0.1 * scale * Math.log(factor) + 1;
    }

    private static double factor(ConfigObject scaling) {
        if (!scaling.has("factor")) {
            scaling.fault("factor", "missing; write a number above 0");
        }
        return scaling.positive("factor", 1);
    }

    private double originalContext(ConfigObject scaling) {
        return scaling.size("original_max_position_embeddings", contextLength);
    }
}
