package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderArchitecture.Family;
import java.util.List;

/**
 * Holds the names of a layer's tensors in one encoder family, without {@code .weight} and {@code .bias}.
 *
 * @param layers begins the names of all layers' tensors; the number of the layer follows
 * @param input of attention: queries, keys and values
 * @param mixed product behind attention
 * @param up first product of the feed-forward network
 * @param down its second product
 */
record EncoderTensors(
        String layers, List<String> input, String mixed, String attentionNorm, String up, String down, String norm) {
    private static final EncoderTensors BERT = new EncoderTensors(
            "encoder.layer.",
            List.of("attention.self.query", "attention.self.key", "attention.self.value"),
            "attention.output.dense",
            "attention.output.LayerNorm",
            "intermediate.dense",
            "output.dense",
            "output.LayerNorm");
    private static final EncoderTensors MPNET = new EncoderTensors(
            "encoder.layer.",
            List.of("attention.attn.q", "attention.attn.k", "attention.attn.v"),
            "attention.attn.o",
            "attention.LayerNorm",
            "intermediate.dense",
            "output.dense",
            "output.LayerNorm");
    private static final EncoderTensors DISTILBERT = new EncoderTensors(
            "transformer.layer.",
            List.of("attention.q_lin", "attention.k_lin", "attention.v_lin"),
            "attention.out_lin",
            "sa_layer_norm",
            "ffn.lin1",
            "ffn.lin2",
            "output_layer_norm");

    static EncoderTensors of(Family family) {
        return switch (family) {
            case BERT, ROBERTA -> BERT;
            case MPNET -> MPNET;
            case DISTILBERT -> DISTILBERT;
            case MODERNBERT -> throw new IllegalArgumentException("layers of %s have other parts".formatted(family));
        };
    }
}
