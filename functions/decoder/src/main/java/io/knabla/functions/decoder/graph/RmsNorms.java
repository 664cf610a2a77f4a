package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Map;

/** Adds RMS norms: each row divided by the root of its mean square, times a weight for each element. */
final class RmsNorms {
    private final DecoderConfig config;
    private final WeightIndex stored;
    private final WeightLayout weights;
    private final GraphNodes nodes;

    RmsNorms(DecoderConfig config, WeightIndex stored, WeightLayout weights, GraphNodes nodes) {
        this.config = config;
        this.stored = stored;
        this.weights = weights;
        this.nodes = nodes;
    }

    /** @param weight name of a tensor of {@code width} elements */
    String add(String input, String weight, int width) {
        float added = config.architecture().isGemma() ? 1 : 0;
        var form = new WeightForm.Rows(List.of(stored.get(weight, width)), added);
        return nodes.onnx(
                weight.replaceFirst("\\.weight$", ""),
                "SimplifiedLayerNormalization",
                List.of(input, weights.add(weight, form, width)),
                Map.of("axis", -1, "epsilon", config.normEpsilon(), "stash_type", 1));
    }
}
