package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The straight-through estimator for models in QDQ format (Bengio, Léonard and Courville, 2013): rounding counts as the
 * identity, and a value that is clipped gets no gradient, as PyTorch's FakeQuantize has it.
 */
final class StraightThrough {
    static final Set<String> QUANTIZERS = Set.of("QuantizeLinear");
    static final Set<String> DEQUANTIZERS = Set.of("DequantizeLinear");

    /** Half a step is the largest rounding error; a bit more, because scaling rounds, too. */
    private static final double ROUNDING = 0.5001;

    private StraightThrough() {}

    static void register(Map<String, Rule> table) {
        table.put("QuantizeLinear", StraightThrough::quantize);
        table.put("DequantizeLinear", StraightThrough::dequantize);
    }

    private static List<Value> quantize(RuleContext at, Op op, List<Value> dy) {
        refuseScale(at, op);
        Value x = op.input(0);
        Value quantized = op.output(0);
        var axis = Attributes.of("axis", op.attributes().integer("axis", 1));
        Value restored = op.has(2)
                ? at.op("DequantizeLinear", axis, quantized, op.input(1), op.input(2))
                : at.op("DequantizeLinear", axis, quantized, op.input(1));
        Value error = at.abs(at.sub(x, restored));
        Value inRange = at.lessOrEqual(error, at.mul(steps(at, op), ROUNDING));
        return RuleContext.of(at.where(inRange, dy.getFirst(), at.zeros(x)));
    }

    private static List<Value> dequantize(RuleContext at, Op op, List<Value> dy) {
        refuseScale(at, op);
        return RuleContext.of(dy.getFirst());
    }

    private static void refuseScale(RuleContext at, Op op) {
        if (at.needsAdjoint(op, 1)) {
            throw new UnsupportedOperatorException(
                    "estimates no gradient of its scale; choose withRespectTo so that '%s' is not in it"
                            .formatted(op.input(1).name()));
        }
    }

    /** The scale, shaped so that it broadcasts to the input. */
    private static Value steps(RuleContext at, Op op) {
        Value scale = op.input(1);
        int scaleRank = scale.knownShape().rank();
        if (scaleRank == 0 || scale.knownShape().dims().getFirst().is(1) && scaleRank == 1) {
            return scale;
        }
        if (scaleRank > 1) {
            throw new UnsupportedOperatorException("quantises by blocks, for which no gradient is estimated");
        }
        int rank = op.input(0).knownShape().rank();
        long axis = op.attributes().integer("axis", 1);
        List<Long> others = new ArrayList<>();
        for (long i = 0; i < rank; i++) {
            if (i != (axis < 0 ? axis + rank : axis)) {
                others.add(i);
            }
        }
        return at.unsqueeze(scale, others);
    }
}
