package io.knabla.functions.compiler.autodiff.training;

import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Map;

/**
 * The gradients of a step.
 *
 * @param last whether the weights change in this call; null = always
 */
record Accumulation(Map<String, Value> gradients, Value last) {

    static Accumulation none(Map<String, Value> gradients) {
        return new Accumulation(gradients, null);
    }

    /** 1 where the weights change, else 0. */
    Value applyAsInteger(Ops code) {
        return last == null ? code.integer(1) : code.cast(last, ElementType.INT64);
    }

    /** The next value, or the present one while gradients are still gathered. */
    Value gate(Ops code, Value present, Value next) {
        return last == null ? next : code.where(last, next, present);
    }
}
