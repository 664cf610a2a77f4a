package io.knabla.functions.compiler.analyze;

import static io.knabla.functions.compiler.analyze.CostRule.computing;
import static io.knabla.functions.compiler.analyze.SaturatingMath.elements;
import static io.knabla.functions.compiler.analyze.SaturatingMath.plus;
import static io.knabla.functions.compiler.analyze.SaturatingMath.times;

import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.shape.OpContext;
import java.util.Map;

/** Cost rules of recurrent layers and attention. */
final class SequenceCosts {
    /** Operations per element of a softmax: maximum, difference, exponential, sum, quotient. */
    private static final int SOFTMAX = 5;

    private SequenceCosts() {}

    static void register(Map<String, CostRule> rules) {
        rules.put("LSTM", computing((op, out) -> recurrent(op, 4)));
        rules.put("GRU", computing((op, out) -> recurrent(op, 3)));
        rules.put("RNN", computing((op, out) -> recurrent(op, 1)));
        rules.put("Attention", computing((op, out) -> attention(op)));
        rules.put("com.microsoft.MultiHeadAttention", rules.get("Attention"));
        rules.put("com.microsoft.GroupQueryAttention", rules.get("Attention"));
        rules.put("com.microsoft.Attention", computing((op, out) -> projected(op)));
        rules.put("com.microsoft.QAttention", rules.get("com.microsoft.Attention"));
    }

    /** Per step and direction: two products per gate, and about ten element-wise operations per gate. */
    private static long recurrent(OpContext op, int gates) {
        Shape x = op.shape(0);
        long positions = times(x.dim(0).or(1), x.dim(1).or(1));
        long directions = op.shape(1).dim(0).or(1);
        long hidden = op.shape(2).dim(-1).or(1);
        long width = plus(x.dim(2).or(1), hidden);
        long each = plus(times(2 * gates, hidden, width), times(10L * gates, hidden));
        return times(positions, directions, each);
    }

    /** {@code softmax(q·kᵀ)·v}: two products of every query with every key. */
    private static long attention(OpContext op) {
        Shape q = op.shape(0);
        Shape k = op.has(1) ? op.shape(1) : q;
        boolean heads = q.rank() == 4;
        long keys = k.rank() < 3 ? 1 : k.dim(-2).or(1);
        long scoresPerHead = times(q.dim(0).or(1), q.dim(-2).or(1), keys);
        long headCount = heads
                ? q.dim(1).or(1)
                : Math.max(op.node().integer("q_num_heads", 0), op.node().integer("num_heads", 1));
        return plus(times(4, elements(q), keys), times(SOFTMAX, scoresPerHead, Math.max(1, headCount)));
    }

    /** Attention that first projects one input to queries, keys and values. */
    private static long projected(OpContext op) {
        Shape x = op.shape(0);
        Shape w = op.shape(1);
        long positions = times(x.dim(0).or(1), x.dim(1).or(1));
        long hidden = w.dim(1).or(3) / 3;
        long projection = times(times(2, positions, x.dim(2).or(1)), w.dim(1).or(1));
        long length = x.dim(1).or(1);
        long heads = Math.max(1, op.node().integer("num_heads", 1));
        return plus(
                projection,
                plus(times(times(4, positions, hidden), length), times(times(SOFTMAX, positions, length), heads)));
    }
}
