package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.analyze.CostRule.Traffic;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Node;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.OpContext;
import io.knabla.functions.compiler.shape.OpContext.ValueInfo;
import io.knabla.functions.compiler.shape.RuleGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Estimates the cost of single operations; a variable size counts as 1. */
public final class OpCosts {
    private OpCosts() {}

    /** Roofline time on {@link Machine#ASSUMED}. */
    public static double seconds(Op op, long opset) {
        Optional<CostRule> rule = CostRules.of(qualified(op));
        List<TensorType> outputs = op.outputs().stream().map(Value::type).toList();
        long flops = rule.map(r -> RuleGuard.getOrElse(() -> r.flops().of(context(op, opset), outputs), 0L))
                .orElse(0L);
        return Machine.ASSUMED.seconds(
                flops, traffic(op, rule.map(CostRule::traffic).orElse(Traffic.ALL)));
    }

    public static String qualified(Op op) {
        return op.domain().isEmpty() ? op.type() : op.domain() + "." + op.type();
    }

    private static long traffic(Op op, Traffic traffic) {
        long written = SaturatingMath.bytes(op.output().type());
        return switch (traffic) {
            case VIEW -> 0;
            case MADE -> written;
            case PICKED -> SaturatingMath.plus(written, written);
            case ALL -> {
                long moved = written;
                for (Value input : op.presentInputs()) {
                    moved = SaturatingMath.plus(moved, SaturatingMath.bytes(input.type()));
                }
                yield moved;
            }
        };
    }

    private static OpContext context(Op op, long opset) {
        var names = new ArrayList<String>();
        var inputs = new ArrayList<ValueInfo>();
        for (Value input : op.inputs()) {
            names.add(input == null ? "" : "v" + input.id());
            inputs.add(
                    input == null
                            ? new ValueInfo(TensorType.UNKNOWN, Optional.empty(), Optional.empty())
                            : new ValueInfo(input.type(), input.integers(), input.constant()));
        }
        var node = new Node(
                op.name(),
                op.domain(),
                op.type(),
                "",
                names,
                List.of("y"),
                op.attributes().values(),
                Map.of());
        return new OpContext(node, opset, inputs);
    }
}
