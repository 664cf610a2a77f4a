package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.folder.WeightIndex;
import java.util.List;
import java.util.Map;

/** Adds layer norms: each row less its mean, divided by its deviation, times a weight and plus a bias. */
record LayerNorms(WeightIndex stored, WeightLayout weights, GraphNodes nodes, int width, double epsilon) {

    /** @param name begins the names of the norm's tensors */
    String add(String output, String input, String name) {
        return add(output, input, name, true);
    }

    /** @param biased whether a bias is added */
    String add(String output, String input, String name, boolean biased) {
        String weight = weight(name + ".weight");
        return nodes.onnx(
                output,
                "LayerNormalization",
                biased ? List.of(input, weight, weight(name + ".bias")) : List.of(input, weight),
                Map.of("axis", -1, "epsilon", epsilon));
    }

    /** Of a sum of two. */
    String ofSum(String output, String left, String right, String name) {
        return nodes.contrib(
                output,
                "SkipLayerNormalization",
                List.of(left, right, weight(name + ".weight"), weight(name + ".bias")),
                Map.of("epsilon", epsilon));
    }

    private String weight(String name) {
        return weights.add(name, new WeightForm.Rows(List.of(stored.get(name, width)), 0), width);
    }
}
