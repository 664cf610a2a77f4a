package io.knabla.functions.decoder.config;

import io.knabla.functions.decoder.config.EncoderArchitecture.Family;

/**
 * Holds the keys of config.json that differ between encoder families.
 *
 * @param innerWidth width of the feed-forward network
 */
record EncoderKeys(
        String width, String layers, String heads, String innerWidth, String activation, String normEpsilon) {
    private static final EncoderKeys BERT = new EncoderKeys(
            "hidden_size",
            "num_hidden_layers",
            "num_attention_heads",
            "intermediate_size",
            "hidden_act",
            "layer_norm_eps");
    private static final EncoderKeys DISTILBERT =
            new EncoderKeys("dim", "n_layers", "n_heads", "hidden_dim", "activation", "layer_norm_eps");
    private static final EncoderKeys MODERNBERT = new EncoderKeys(
            "hidden_size",
            "num_hidden_layers",
            "num_attention_heads",
            "intermediate_size",
            "hidden_activation",
            "norm_eps");

    static EncoderKeys of(Family family) {
        return switch (family) {
            case BERT, ROBERTA, MPNET -> BERT;
            case DISTILBERT -> DISTILBERT;
            case MODERNBERT -> MODERNBERT;
        };
    }
}
