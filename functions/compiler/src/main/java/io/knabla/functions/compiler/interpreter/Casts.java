package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.Map;

/** Kernels of conversions between element types, and of Dropout at inference. */
final class Casts {
    private Casts() {}

    static void register(Map<String, Kernel> table) {
        table.put("Cast", (Kernel.SingleOutput)
                call -> cast(call, call.input(0), ElementType.of((int) call.integer("to", 0))));
        table.put("CastLike", (Kernel.SingleOutput)
                call -> cast(call, call.input(0), call.input(1).element()));
        table.put("Identity", (Kernel.SingleOutput) call -> call.input(0));
        table.put("Dropout", Casts::dropout);
    }

    static NdArray cast(Call call, NdArray x, ElementType to) {
        if (to == x.element()) {
            return x;
        }
        if (to.isFloat()) {
            return call.reals(to, x.dims(), x::real);
        }
        if (to == ElementType.BOOL) {
            return call.whole(to, x.dims(), i -> x.truth(i) ? 1 : 0);
        }
        return call.whole(to, x.dims(), x::whole);
    }

    /** Supports inference only. */
    private static List<NdArray> dropout(Call call) {
        if (call.has(2) && call.input(2).truth(0) && call.real(1, 0.5) != 0) {
            throw new EvaluationException("Dropout while training is random");
        }
        NdArray x = call.input(0);
        return List.of(x, NdArray.filled(ElementType.BOOL, call.checkedDims(x.dims()), 1));
    }
}
