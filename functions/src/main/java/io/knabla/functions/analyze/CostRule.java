package io.knabla.functions.analyze;

import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.shape.OpContext;
import java.util.List;

/** What one kind of operator costs. */
record CostRule(Flops flops, Traffic traffic) {

    /** Floating-point operations; a multiply-add counts as two. */
    @FunctionalInterface
    interface Flops {
        long of(OpContext op, List<TensorType> outputs);
    }

    /** Which bytes an operator touches. */
    enum Traffic {
        /** Every input once, every output once. */
        ALL,
        /** None: the output is the input under another shape. */
        VIEW,
        /** As much of the first input as comes out, and the other inputs. */
        PICKED,
        /** Only the output. */
        MADE
    }

    static CostRule computing(Flops flops) {
        return new CostRule(flops, Traffic.ALL);
    }

    /** So many operations for every element of the first output. */
    static CostRule perOutput(long operations) {
        return computing((op, outputs) -> Amounts.times(operations, Amounts.elements(outputs.getFirst())));
    }

    /** So many operations for every element of the first input. */
    static CostRule perInput(long operations) {
        return computing((op, outputs) ->
                Amounts.times(operations, Amounts.elements(op.input(0).type())));
    }

    static CostRule moving(Traffic traffic) {
        return new CostRule((op, outputs) -> 0, traffic);
    }
}
