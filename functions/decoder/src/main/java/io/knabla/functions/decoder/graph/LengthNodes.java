package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Adds the nodes that compute positions and the mask of padding from the lengths of a batch's texts, each once. */
final class LengthNodes {
    private final GraphNodes nodes;
    private final String tokens;
    private final String lengths;
    private Optional<String> indices = Optional.empty();

    /**
     * @param tokens name of the input of shape [batch, tokens]
     * @param lengths name of the input of shape [batch]
     */
    LengthNodes(GraphNodes nodes, String tokens, String lengths) {
        this.nodes = nodes;
        this.tokens = tokens;
        this.lengths = lengths;
    }

    /** 0 to the number of tokens, which is excluded: [tokens]. */
    String indices() {
        indices = indices.or(() -> Optional.of(counted()));
        return indices.get();
    }

    private String counted() {
        String shape = nodes.onnx("shape.of.tokens", "Shape", List.of(tokens), Map.of("start", 1, "end", 2));
        String end = nodes.onnx("tokens.end", "Squeeze", List.of(shape), Map.of());
        return nodes.onnx(
                "indices", "Range", List.of(nodes.integer("zero", 0), end, nodes.integer("one", 1)), Map.of());
    }

    /** Whether a token is one of its text, not of the padding: [batch, tokens]. To be called once. */
    String mask() {
        String axis = nodes.integers("axis.each", 1);
        String whole = nodes.onnx("lengths.whole", "Cast", List.of(lengths), Map.of("to", DataType.INT64.getNumber()));
        String column = nodes.onnx("lengths.column", "Unsqueeze", List.of(whole, axis), Map.of());
        return nodes.onnx("mask", "Less", List.of(indices(), column), Map.of());
    }
}
