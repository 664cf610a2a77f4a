package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Map;

/**
 * Adds the norms of a decoder: those of GPT-2 are layer norms, all others divide each row by the root of its mean
 * square.
 */
final class DecoderNorms {
    private final DecoderConfig config;
    private final WeightIndex stored;
    private final WeightLayout weights;
    private final GraphNodes nodes;

    DecoderNorms(DecoderConfig config, WeightIndex stored, WeightLayout weights, GraphNodes nodes) {
        this.config = config;
        this.stored = stored;
        this.weights = weights;
        this.nodes = nodes;
    }

    /** @param name begins the names of the norm's tensors, of {@code width} elements */
    String add(String input, String name, int width) {
        return switch (config.architecture().family()) {
            case LLAMA -> rms(input, name, width);
            case GPT2 -> new LayerNorms(stored, weights, nodes, width, config.normEpsilon()).add(name, input, name);
        };
    }

    private String rms(String input, String name, int width) {
        float added = config.architecture().isGemma() ? 1 : 0;
        String weight = name + ".weight";
        var form = new WeightForm.Rows(List.of(stored.get(weight, width)), added);
        return nodes.onnx(
                name,
                "SimplifiedLayerNormalization",
                List.of(input, weights.add(weight, form, width)),
                Map.of("axis", -1, "epsilon", config.normEpsilon(), "stash_type", 1));
    }
}
