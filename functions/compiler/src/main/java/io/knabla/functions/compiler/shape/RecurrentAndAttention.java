package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;
import java.util.Map;

/** Shape rules of recurrent layers and attention. */
final class RecurrentAndAttention {
    private static final Dim THREE = new Dim.Known(3);

    private RecurrentAndAttention() {}

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(rules, RecurrentAndAttention::recurrent, "LSTM", "GRU", "RNN");
        rules.put("Attention", RecurrentAndAttention::attention);
        rules.put("com.microsoft.Attention", RecurrentAndAttention::packed);
        rules.put("com.microsoft.QAttention", RecurrentAndAttention::packed);
        rules.put("com.microsoft.MultiHeadAttention", RecurrentAndAttention::multiHead);
        rules.put("com.microsoft.GroupQueryAttention", RecurrentAndAttention::groupQuery);
        Elementwise.each(rules, Elementwise::same, "RotaryEmbedding", "com.microsoft.RotaryEmbedding");
    }

    private static List<Shape> recurrent(OpContext op) {
        Shape x = op.shape(0);
        boolean batchFirst = op.node().integer("layout", 0) == 1;
        Dim steps = x.dim(batchFirst ? 1 : 0);
        Dim batch = x.dim(batchFirst ? 0 : 1);
        Dim hidden = op.shape(2).dim(-1);
        Dim directions = op.shape(1).dim(0);
        Shape all = new Shape(
                batchFirst ? List.of(batch, steps, directions, hidden) : List.of(steps, directions, batch, hidden));
        Shape last = new Shape(batchFirst ? List.of(batch, directions, hidden) : List.of(directions, batch, hidden));
        return List.of(all, last, last);
    }

    /** ONNX's own Attention: {@code [batch, heads, length, size]} or {@code [batch, length, heads·size]}. */
    private static List<Shape> attention(OpContext op) {
        Shape q = op.shape(0);
        Shape k = heads(op.shape(1), op.node().integer("kv_num_heads", -1));
        Shape v = heads(op.shape(2), op.node().integer("kv_num_heads", -1));
        Shape query = heads(q, op.node().integer("q_num_heads", -1));
        Dim past = op.has(4) ? op.shape(4).dim(2) : Dim.ZERO;
        Dim total = k.dim(2).plus(past);
        Shape out = q.rank() == 4 ? q.with(3, v.dim(3)) : q.with(2, query.dim(1).times(v.dim(3)));
        return List.of(out, k.with(2, total), v.with(2, total), query.with(3, total));
    }

    /** As {@code [batch, heads, length, size]}. */
    private static Shape heads(Shape shape, long count) {
        if (shape.rank() == 4) {
            return shape;
        }
        Dim heads = Dim.of(count);
        return new Shape(List.of(shape.dim(0), heads, shape.dim(1), shape.dim(2).dividedBy(heads)));
    }

    /** Projects to queries, keys and values itself; {@code [batch, length, 3·hidden]} weights. */
    private static List<Shape> packed(OpContext op) {
        return List.of(op.shape(0).with(-1, op.shape(1).dim(-1).dividedBy(THREE)));
    }

    /** Values may be {@code [batch, length, hidden]} or {@code [batch, heads, length, size]}. */
    private static List<Shape> multiHead(OpContext op) {
        Shape q = op.shape(0);
        if (q.rank() != 3 || !op.has(2)) {
            return q.rank() == 5
                    ? List.of(new Shape(List.of(q.dim(0), q.dim(1), q.dim(2).times(q.dim(4)))))
                    : List.of(q);
        }
        Shape v = op.shape(2);
        Dim hidden = v.rank() == 4 ? v.dim(1).times(v.dim(3)) : v.dim(-1);
        return List.of(q.with(2, hidden));
    }

    private static List<Shape> groupQuery(OpContext op) {
        Shape q = op.shape(0);
        if (!op.has(1)) {
            throw ShapeUnknownException.INSTANCE;
        }
        return List.of(q);
    }
}
