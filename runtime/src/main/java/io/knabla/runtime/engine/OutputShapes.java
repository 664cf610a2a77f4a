package io.knabla.runtime.engine;

import io.knabla.functions.unit.TensorSpec;
import java.util.List;

/**
 * Predicts output shapes from input shapes, where the signature determines them: every dimension is fixed or has the
 * name of an input's dimension.
 */
final class OutputShapes {
    /** For each output and dimension: the size if fixed, else {@code -1 - (input * 64 + dimension)}. */
    private final long[][] plans;

    OutputShapes(List<TensorSpec> inputs, List<TensorSpec> outputs) {
        plans = outputs.stream().map(output -> plan(inputs, output)).toArray(long[][]::new);
    }

    private static long[] plan(List<TensorSpec> inputs, TensorSpec output) {
        long[] plan = new long[output.shape().size()];
        for (int d = 0; d < plan.length; d++) {
            long size = output.shape().get(d);
            plan[d] = size >= 0 ? size : source(inputs, output.symbols().get(d));
            if (plan[d] == Long.MIN_VALUE) {
                return null;
            }
        }
        return output.datatype().bytes() == 0 ? null : plan;
    }

    private static long source(List<TensorSpec> inputs, String symbol) {
        for (int i = 0; i < inputs.size() && !symbol.isEmpty(); i++) {
            int dimension = inputs.get(i).symbols().indexOf(symbol);
            if (dimension >= 0 && dimension < 64) {
                return -1L - (i * 64L + dimension);
            }
        }
        return Long.MIN_VALUE;
    }

    /** The shape of output {@code index}; null if only a run determines it. */
    long[] of(int index, List<Tensor> inputs) {
        long[] plan = plans[index];
        if (plan == null) {
            return null;
        }
        long[] shape = new long[plan.length];
        for (int d = 0; d < shape.length; d++) {
            long source = -1 - plan[d];
            shape[d] = plan[d] >= 0 ? plan[d] : inputs.get((int) (source / 64)).shape()[(int) (source % 64)];
        }
        return shape;
    }
}
