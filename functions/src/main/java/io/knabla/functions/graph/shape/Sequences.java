package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.List;
import java.util.Map;

/** Recurrent layers and attention. */
final class Sequences {
    private Sequences() {}

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(rules, Sequences::recurrent, "LSTM", "GRU", "RNN");
        rules.put("Attention", Sequences::attention);
        rules.put("com.microsoft.Attention", Sequences::packed);
        rules.put("com.microsoft.QAttention", Sequences::packed);
        rules.put("com.microsoft.MultiHeadAttention", Sequences::multiHead);
        rules.put("com.microsoft.GroupQueryAttention", Sequences::multiHead);
        Elementwise.each(
                rules, Elementwise::same, "RotaryEmbedding", "com.microsoft.RotaryEmbedding");
    }

    private static List<TensorType> recurrent(OpContext op) {
        Shape x = op.shape(0);
        boolean batchFirst = op.node().integer("layout", 0) == 1;
        Dim steps = x.dim(batchFirst ? 1 : 0);
        Dim batch = x.dim(batchFirst ? 0 : 1);
        Dim hidden = op.shape(2).dim(-1);
        Dim directions = op.shape(1).dim(0);
        Shape all =
                new Shape(
                        batchFirst
                                ? List.of(batch, steps, directions, hidden)
                                : List.of(steps, directions, batch, hidden));
        Shape last =
                new Shape(
                        batchFirst
                                ? List.of(batch, directions, hidden)
                                : List.of(directions, batch, hidden));
        TensorType state = TensorType.of(op.element(0), last);
        return List.of(TensorType.of(op.element(0), all), state, state);
    }

    /** ONNX's own: {@code [batch, heads, length, size]} or {@code [batch, length, heads·size]}. */
    private static List<TensorType> attention(OpContext op) {
        Shape q = op.shape(0);
        Shape v = op.shape(2);
        if (q.rank() == 4) {
            return Layout.typed(op, q.with(3, v.dim(3)));
        }
        Dim queryHeads = Dim.of(op.node().integer("q_num_heads", -1));
        Dim valueHeads = Dim.of(op.node().integer("kv_num_heads", -1));
        return Layout.typed(op, q.with(2, v.dim(2).dividedBy(valueHeads).times(queryHeads)));
    }

    /** Projects to queries, keys and values itself; {@code [batch, length, 3·hidden]} weights. */
    private static List<TensorType> packed(OpContext op) {
        return Layout.typed(op, op.shape(0).with(-1, op.shape(1).dim(-1).dividedBy(Dim.of(3))));
    }

    private static List<TensorType> multiHead(OpContext op) {
        return Layout.typed(op, op.shape(0));
    }
}
