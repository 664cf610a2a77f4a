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
    private Optional<String> distances = Optional.empty();

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

    /** The second token's position less the first's: [tokens, tokens]. */
    String distances() {
        distances = distances.or(() -> Optional.of(subtracted()));
        return distances.get();
    }

    private String subtracted() {
        String row =
                nodes.onnx("distance.row", "Unsqueeze", List.of(indices(), nodes.integers("axis.row", 0)), Map.of());
        String column = nodes.onnx(
                "distance.column", "Unsqueeze", List.of(indices(), nodes.integers("axis.column", 1)), Map.of());
        return nodes.onnx("distance", "Sub", List.of(row, column), Map.of());
    }

    /** Whether a token is one of its text, not of the padding: [batch, tokens]. To be called once. */
    String mask() {
        return nodes.onnx("mask", "Less", List.of(indices(), column(lengths)), Map.of());
    }

    /**
     * Whether a token is one of its text, and not among the first ones that are left out: [batch, tokens]. To be called
     * once.
     *
     * @param leftOut name of an input of shape [batch]
     */
    String maskWithout(String leftOut) {
        String rest = nodes.onnx("mask.rest", "GreaterOrEqual", List.of(indices(), column(leftOut)), Map.of());
        return nodes.onnx("mask.counted", "And", List.of(mask(), rest), Map.of());
    }

    /** 32-bit numbers of an input of shape [batch] as [batch, 1]. */
    private String column(String input) {
        String axis = nodes.integers(input + ".axis", 1);
        String whole = nodes.onnx(input + ".whole", "Cast", List.of(input), Map.of("to", DataType.INT64.getNumber()));
        return nodes.onnx(input + ".column", "Unsqueeze", List.of(whole, axis), Map.of());
    }
}
