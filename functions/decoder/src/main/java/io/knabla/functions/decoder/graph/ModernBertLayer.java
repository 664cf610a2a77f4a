package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.config.ModernBert;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Adds one layer of ModernBERT: attention and gated feed-forward network, each added to its input. */
final class ModernBertLayer {
    private final EncoderParts parts;
    private final EncoderConfig config;
    private final ModernBert modern;
    private final GraphNodes nodes;
    private final int layer;
    private final String prefix;

    ModernBertLayer(EncoderParts parts, ModernBert modern, int layer) {
        this.parts = parts;
        this.config = parts.config();
        this.modern = modern;
        this.nodes = parts.nodes();
        this.layer = layer;
        this.prefix = "%slayers.%d.".formatted(parts.prefix(), layer);
    }

    /**
     * Returns the layer's output.
     *
     * @param rotation names of the first token's position, and of the tables of cosines and sines
     * @param bias of the scores of attention; empty for none
     */
    String add(String input, List<String> rotation, String bias) {
        // The embedding is normalised already.
        String read = layer == 0 ? input : norm("attn_norm", input);
        String attended = sum("attended", input, attention(read, rotation, bias));
        return sum("out", attended, feedForward(norm("mlp_norm", attended)));
    }

    private String norm(String name, String input) {
        return parts.norms().add(prefix + name, input, prefix + name, modern.normBias());
    }

    private String sum(String name, String left, String right) {
        return nodes.onnx(prefix + name, "Add", List.of(left, right), Map.of());
    }

    private String attention(String input, List<String> rotation, String bias) {
        int width = config.width();
        String all = product("attn.Wqkv", input, 3 * width, width, modern.attentionBias());
        List<String> names = Stream.of("q", "k", "v").map(prefix::concat).toList();
        nodes.onnx("Split", List.of(all), names, Map.of("axis", 1, "num_outputs", names.size()));
        List<String> batched = names.stream()
                .map(name -> parts.shapes().batched(name + ".batched", name))
                .toList();
        String output = nodes.contrib(
                prefix + "attention",
                "MultiHeadAttention",
                List.of(
                        rotated(batched.get(0), rotation),
                        rotated(batched.get(1), rotation),
                        batched.get(2),
                        "",
                        EncoderGraph.LENGTHS,
                        bias),
                Map.of("num_heads", config.heads()));
        String flat = parts.shapes().flat(prefix + "attention.flat", output, width);
        return product("attn.Wo", flat, width, width, modern.attentionBias());
    }

    private String rotated(String input, List<String> rotation) {
        List<String> inputs = Stream.concat(Stream.of(input), rotation.stream()).toList();
        return nodes.contrib(input + ".rotated", "RotaryEmbedding", inputs, Map.of());
    }

    private String feedForward(String input) {
        int inner = config.feedForward().width();
        String both = product("mlp.Wi", input, 2 * inner, config.width(), modern.feedForwardBias());
        List<String> halves = List.of(prefix + "activation", prefix + "gate");
        nodes.onnx("Split", List.of(both), halves, Map.of("axis", 1, "num_outputs", 2));
        String activated = new Activations(nodes)
                .add(
                        prefix + "activated",
                        halves.getFirst(),
                        config.feedForward().activation());
        String gated = nodes.onnx(prefix + "gated", "Mul", List.of(activated, halves.getLast()), Map.of());
        return product("mlp.Wo", gated, config.width(), inner, modern.feedForwardBias());
    }

    private String product(String name, String input, int rows, int width, boolean biased) {
        return parts.linear().add(prefix + name, input, rows, width, biased);
    }
}
