package io.knabla.functions.decoder.graph;

import io.knabla.functions.decoder.config.DecoderConfig.Attention;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds nodes that reshape and split values; adds the constants that they share once. */
final class ShapeNodes {
    private static final String BATCHED = "shape.batched";
    private static final String PARTS = "split.qkv";

    private final GraphNodes nodes;
    private final String tokens;
    private final Set<String> made = new HashSet<>();

    /** @param tokens name of the input of shape [batch, tokens] */
    ShapeNodes(GraphNodes nodes, String tokens) {
        this.nodes = nodes;
        this.tokens = tokens;
    }

    /** Changes a value to [all, width]. */
    String flat(String output, String input, int width) {
        String shape = "shape.flat." + width;
        if (made.add(shape)) {
            nodes.integers(shape, -1, width);
        }
        return nodes.onnx(output, "Reshape", List.of(input, shape), Map.of());
    }

    /** Changes a value of shape [batch · tokens, width] to [batch, tokens, width]. */
    String batched(String output, String input) {
        if (made.add(BATCHED)) {
            String shape = nodes.onnx("shape.tokens", "Shape", List.of(tokens), Map.of());
            nodes.onnx(BATCHED, "Concat", List.of(shape, nodes.integers("minus.one", -1)), Map.of("axis", 0));
        }
        return nodes.onnx(output, "Reshape", List.of(input, BATCHED), Map.of());
    }

    /** Changes the tokens to one row. */
    String row(String output) {
        return nodes.onnx(output, "Reshape", List.of(tokens, nodes.integers("minus.ones", -1)), Map.of());
    }

    /** Splits columns into queries, keys and values. */
    void split(String input, List<String> outputs, Attention attention) {
        if (made.add(PARTS)) {
            nodes.integers(PARTS, attention.queryWidth(), attention.keyWidth(), attention.keyWidth());
        }
        nodes.onnx("Split", List.of(input, PARTS), outputs, Map.of("axis", 1));
    }
}
