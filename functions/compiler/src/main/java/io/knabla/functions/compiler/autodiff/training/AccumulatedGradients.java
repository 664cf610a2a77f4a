package io.knabla.functions.compiler.autodiff.training;

import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Map;

/**
 * Gradients that a step applies, possibly accumulated over several calls.
 *
 * @param last whether this call updates the weights; null = every call does
 */
record AccumulatedGradients(Map<String, Value> gradients, Value last) {

    static AccumulatedGradients none(Map<String, Value> gradients) {
        return new AccumulatedGradients(gradients, null);
    }

    /** 1 if this call updates the weights, else 0. */
    Value applyAsInteger(Ops code) {
        return last == null ? code.integer(1) : code.cast(last, ElementType.INT64);
    }

    /** Selects the next value, or the present one while gradients are still accumulated. */
    Value gate(Ops code, Value present, Value next) {
        return last == null ? next : code.where(last, next, present);
    }
}
