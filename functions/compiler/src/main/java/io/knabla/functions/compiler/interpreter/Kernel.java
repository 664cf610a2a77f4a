package io.knabla.functions.compiler.interpreter;

import java.util.List;

/** Computes one operator. */
@FunctionalInterface
interface Kernel {
    /** Returns the outputs in order; may omit trailing ones that it does not support. */
    List<NdArray> run(Call call);

    /** Kernel with one output. */
    interface SingleOutput extends Kernel {
        NdArray result(Call call);

        @Override
        default List<NdArray> run(Call call) {
            return List.of(result(call));
        }
    }
}
