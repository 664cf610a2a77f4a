package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import java.util.List;
import java.util.Map;

/**
 * Adds the embedding of each token's position, counted from the start of its text.
 *
 * @param tokens name of the input of shape [batch, tokens], the last tokens of texts
 * @param last name of the input [batch] of the positions of the last of them
 */
record LearnedPositions(GraphNodes nodes, String tokens, String last) {

    /**
     * The sum of two embeddings, of shape [batch · tokens, width].
     *
     * @param rows embedding of the tokens
     * @param table name of the embedding of positions
     */
    String add(String rows, String table) {
        String embedded = nodes.onnx("positions.rows", "Gather", List.of(table, positions()), Map.of());
        String shape = nodes.onnx("positions.shape", "Shape", List.of(rows), Map.of());
        String flat = nodes.onnx("positions.flat", "Reshape", List.of(embedded, shape), Map.of());
        return nodes.onnx("embedded.positioned", "Add", List.of(rows, flat), Map.of());
    }

    /** [batch, tokens]. */
    private String positions() {
        String whole = nodes.onnx("last.whole", "Cast", List.of(last), Map.of("to", DataType.INT64.getNumber()));
        String axis = nodes.integers("axis.each", 1);
        String column = nodes.onnx("last.column", "Unsqueeze", List.of(whole, axis), Map.of());
        return nodes.onnx("positions", "Add", List.of(column, back()), Map.of());
    }

    /** From the last token back to each, 0 or less: [tokens]. */
    private String back() {
        String shape = nodes.onnx("tokens.shape", "Shape", List.of(tokens), Map.of("start", 1, "end", 2));
        String count = nodes.onnx("tokens.count", "Squeeze", List.of(shape), Map.of());
        String one = nodes.integer("one", 1);
        String first = nodes.onnx("tokens.first", "Sub", List.of(one, count), Map.of());
        return nodes.onnx("tokens.back", "Range", List.of(first, one, one), Map.of());
    }
}
