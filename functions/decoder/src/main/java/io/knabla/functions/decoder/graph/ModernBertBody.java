package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.EncoderConfig;
import io.knabla.functions.decoder.config.ModernBert;
import io.knabla.functions.decoder.config.Rope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds the embedding and layers of ModernBERT: each layer normalises what it reads, rotates queries and keys by their
 * positions, and lets tokens attend to all others or to those of a window.
 */
final class ModernBertBody {
    /** Below all scores of attention, and finite: a token of padding may have no other one in its window. */
    private static final double LOWEST = -1e9;

    private final EncoderParts parts;
    private final EncoderConfig config;
    private final ModernBert modern;
    private final GraphNodes nodes;
    private final Map<Integer, String> windows = new HashMap<>();

    /** @param modern of the parts' configuration */
    ModernBertBody(EncoderParts parts, ModernBert modern) {
        this.parts = parts;
        this.config = parts.config();
        this.modern = modern;
        this.nodes = parts.nodes();
    }

    /** Gives hidden states, [batch · tokens, width]. */
    String add() {
        List<Rope> ropes =
                modern.layers().stream().map(ModernBert.Layer::rope).distinct().toList();
        RotaryTables.add(
                ropes,
                config.width() / config.heads(),
                config.positions(),
                parts.file().weights());
        String first = nodes.integers("first.position", 0);
        String hidden = embedded();
        for (int layer = 0; layer < config.layers(); layer++) {
            ModernBert.Layer kind = modern.layers().get(layer);
            int rope = ropes.indexOf(kind.rope());
            String bias = kind.window().isPresent() ? window(kind.window().getAsInt()) : "";
            hidden = new ModernBertLayer(parts, modern, layer)
                    .add(hidden, List.of(first, RotaryTables.cosines(rope), RotaryTables.sines(rope)), bias);
        }
        return parts.norms().add("last", hidden, parts.prefix() + "final_norm", modern.normBias());
    }

    private String embedded() {
        String name = parts.prefix() + "embeddings.";
        var words = parts.products()
                .matrix(
                        "words",
                        List.of(parts.stored()
                                .get(name + "tok_embeddings.weight", config.vocabulary(), config.width())));
        String rows = parts.products().rows("embedded.words", EncoderParts.TOKENS, words);
        String normed = parts.norms().add("embedded", rows, name + "norm", modern.normBias());
        return parts.shapes().flat("embedded.flat", normed, config.width());
    }

    /** The bias of attention's scores that leaves out what is farther away: [1, 1, tokens, tokens]. */
    private String window(int window) {
        return windows.computeIfAbsent(window, farthest -> {
            String name = "window." + farthest;
            String away =
                    nodes.onnx(name + ".away", "Abs", List.of(parts.lengths().distances()), Map.of());
            String most = nodes.integer(name + ".most", farthest);
            String out = nodes.onnx(name + ".out", "Greater", List.of(away, most), Map.of());
            List<String> choice = List.of(out, nodes.number(name + ".lowest", LOWEST), nodes.number(name + ".none", 0));
            String bias = nodes.onnx(name + ".bias", "Where", choice, Map.of());
            return nodes.onnx(name, "Unsqueeze", List.of(bias, nodes.integers(name + ".axes", 0, 1)), Map.of());
        });
    }
}
