package io.knabla.functions.graph.eval;

import java.util.List;

/** What one operator computes. */
@FunctionalInterface
interface Kernel {
    /** As many of the outputs, in order, as it knows. */
    List<NdArray> run(Call call);

    /** A kernel of one output. */
    interface One extends Kernel {
        NdArray result(Call call);

        @Override
        default List<NdArray> run(Call call) {
            return List.of(result(call));
        }
    }
}
