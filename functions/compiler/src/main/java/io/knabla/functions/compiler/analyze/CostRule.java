package io.knabla.functions.compiler.analyze;

import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.OpContext;
import java.util.List;

/** Cost rule of one operator type: its FLOPs and memory traffic. */
record CostRule(Flops flops, Traffic traffic) {

    /** Counts floating-point operations; a multiply-add counts as two. */
    @FunctionalInterface
    interface Flops {
        long of(OpContext op, List<TensorType> outputs);
    }

    /** Bytes that an operator reads and writes. */
    enum Traffic {
        /** Every input once, every output once. */
        ALL,
        /** None: the output is the input with another shape. */
        VIEW,
        /** As many bytes of the first input as the output has, and all other inputs. */
        PICKED,
        /** Only the output. */
        MADE
    }

    static CostRule computing(Flops flops) {
        return new CostRule(flops, Traffic.ALL);
    }

    /** A number of operations per element of the first output. */
    static CostRule perOutput(long operations) {
        return computing(
                (op, outputs) -> SaturatingMath.times(operations, SaturatingMath.elements(outputs.getFirst())));
    }

    /** A number of operations per element of the first input. */
    static CostRule perInput(long operations) {
        return computing((op, outputs) -> SaturatingMath.times(
                operations, SaturatingMath.elements(op.input(0).type())));
    }

    static CostRule moving(Traffic traffic) {
        return new CostRule((op, outputs) -> 0, traffic);
    }
}
