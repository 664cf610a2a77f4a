package io.knabla.functions.decoder.graph;

import ai.onnx.proto.OnnxMl.TensorProto.DataType;
import io.knabla.functions.decoder.folder.EncoderOutput.Pooling;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Adds the pooling that makes one vector, [batch, width], of the tokens' hidden states, [batch, tokens, width].
 *
 * @param leftOut name of the input that tells how many of a text's first tokens do not count; none if all do
 */
record TokenPooling(GraphNodes nodes, LengthNodes lengths, Optional<String> leftOut) {
    /** Below all that a hidden state can be, as sentence-transformers has it. */
    private static final double LOWEST = -1e9;

    void add(String output, String hidden, Pooling pooling) {
        switch (pooling) {
            case CLS -> first(output, hidden);
            case MEAN -> mean(output, hidden);
            case MAX -> max(output, hidden);
        }
    }

    private void first(String output, String hidden) {
        if (leftOut.isEmpty()) {
            nodes.onnx(output, "Gather", List.of(hidden, nodes.integer("first", 0)), Map.of("axis", 1));
            return;
        }
        String counted = nodes.onnx("mask.ones", "Cast", List.of(mask()), Map.of("to", DataType.INT32.getNumber()));
        String first = nodes.onnx("first", "ArgMax", List.of(counted), Map.of("axis", 1, "keepdims", 1));
        nodes.onnx(output, "GatherND", List.of(hidden, first), Map.of("batch_dims", 1));
    }

    /** A product with a row of ones, which end with the text. */
    private void mean(String output, String hidden) {
        String ones = nodes.onnx("mask.ones", "Cast", List.of(mask()), Map.of("to", DataType.FLOAT.getNumber()));
        String axis = nodes.integers("axis.pool", 1);
        String row = nodes.onnx("mask.row", "Unsqueeze", List.of(ones, axis), Map.of());
        String sums = nodes.onnx("sums", "MatMul", List.of(row, hidden), Map.of());
        String flat = nodes.onnx("sums.flat", "Squeeze", List.of(sums, axis), Map.of());
        String count = nodes.onnx("mask.count", "ReduceSum", List.of(ones, axis), Map.of("keepdims", 1));
        nodes.onnx(output, "Div", List.of(flat, leftOut.isEmpty() ? count : oneOrMore(count)), Map.of());
    }

    /** A text that has no more tokens than its prompt alone, as they became one, has a vector of zeros. */
    private String oneOrMore(String count) {
        return nodes.onnx("mask.divisor", "Max", List.of(count, nodes.number("least.count", 1)), Map.of());
    }

    private void max(String output, String hidden) {
        String axis = nodes.integers("axis.last", 2);
        String each = nodes.onnx("mask.each", "Unsqueeze", List.of(mask(), axis), Map.of());
        String lowest = nodes.number("lowest", LOWEST);
        String text = nodes.onnx("hidden.text", "Where", List.of(each, hidden, lowest), Map.of());
        nodes.onnx(output, "ReduceMax", List.of(text, nodes.integers("axis.pool", 1)), Map.of("keepdims", 0));
    }

    private String mask() {
        return leftOut.map(lengths::maskWithout).orElseGet(lengths::mask);
    }
}
