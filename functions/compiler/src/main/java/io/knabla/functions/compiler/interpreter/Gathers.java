package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** Kernels of operators that select elements by index. */
final class Gathers {
    private Gathers() {}

    static void register(Map<String, Kernel> table) {
        table.put("Gather", (Kernel.SingleOutput) Gathers::gather);
        table.put("GatherElements", (Kernel.SingleOutput) Gathers::elements);
        table.put("GatherND", (Kernel.SingleOutput) Gathers::nd);
        table.put("Compress", (Kernel.SingleOutput) Gathers::compress);
        table.put("OneHot", (Kernel.SingleOutput) Gathers::oneHot);
        table.put("NonZero", (Kernel.SingleOutput) Gathers::nonZero);
    }

    static int index(long index, int size) {
        return Axis.within(index, size)
                .orElseThrow(() -> new EvaluationException("index %d of %d".formatted(index, size)));
    }

    private static NdArray gather(Call call) {
        NdArray x = call.input(0);
        NdArray indices = call.input(1);
        int axis = call.axis(0, x.rank());
        AxisView along = AxisView.of(x, axis);
        int[] dims = Dims.concat(
                Arrays.copyOf(x.dims(), axis), indices.dims(), Arrays.copyOfRange(x.dims(), axis + 1, x.rank()));
        int count = indices.size();
        return call.pick(x, dims, i -> {
            int k = index(indices.whole(i / along.inner() % count), along.size());
            int outer = i / along.inner() / count;
            return (outer * along.size() + k) * along.inner() + i % along.inner();
        });
    }

    private static NdArray elements(Call call) {
        call.checkedDims(call.input(1).dims());
        return call.input(0).pick(call.input(1).dims(), positions(call));
    }

    /** Position in the data for each index of GatherElements or ScatterElements. */
    static int[] positions(Call call) {
        NdArray x = call.input(0);
        NdArray indices = call.input(1);
        int axis = call.axis(0, x.rank());
        int[] strides = Dims.strides(x.dims());
        int stride = strides[axis];
        strides[axis] = 0;
        int[] positions = Dims.walk(indices.dims(), strides, 0);
        for (int i = 0; i < positions.length; i++) {
            positions[i] += stride * index(indices.whole(i), x.dim(axis));
        }
        return positions;
    }

    private static NdArray nd(Call call) {
        NdArray x = call.input(0);
        NdArray indices = call.input(1);
        long batchDims = call.integer("batch_dims", 0);
        int depth = indices.dim(-1);
        if (batchDims < 0 || batchDims >= indices.rank() || batchDims + depth > x.rank()) {
            throw new EvaluationException(
                    "%d batch dims and indices of %d for rank %d".formatted(batchDims, depth, x.rank()));
        }
        int batch = (int) batchDims;
        int[] rest = Arrays.copyOfRange(x.dims(), batch + depth, x.rank());
        int[] dims = Dims.concat(Arrays.copyOf(indices.dims(), indices.rank() - 1), rest);
        int block = Dims.size(rest);
        int[] starts = starts(x, indices, batch);
        return call.pick(x, dims, i -> starts[i / block] + i % block);
    }

    /** Start position of the block that each index tuple selects. */
    static int[] starts(NdArray x, NdArray indices, int batch) {
        int depth = indices.dim(-1);
        int tuples = Dims.product(indices.dims(), 0, indices.rank() - 1);
        int inBatch = Math.max(1, Dims.product(indices.dims(), batch, indices.rank() - 1));
        int batchStride = Dims.product(x.dims(), batch, x.rank());
        int[] strides = Dims.strides(x.dims());
        int[] starts = new int[tuples];
        for (int t = 0; t < tuples; t++) {
            starts[t] = t / inBatch * batchStride;
            for (int d = 0; d < depth; d++) {
                int k = index(indices.whole(t * depth + d), x.dim(batch + d));
                starts[t] += k * strides[batch + d];
            }
        }
        return starts;
    }

    private static NdArray compress(Call call) {
        boolean flat = !call.attributes().containsKey("axis");
        NdArray x = flat ? call.input(0).withDims(call.input(0).size()) : call.input(0);
        NdArray condition = call.input(1);
        int axis = flat ? 0 : call.axis(0, x.rank());
        int[] kept = IntStream.range(0, Math.min(condition.size(), x.dim(axis)))
                .filter(condition::truth)
                .toArray();
        int inner = AxisView.of(x, axis).inner();
        return call.pick(x, Dims.with(x.dims(), axis, kept.length), i -> {
            int outer = i / inner / kept.length;
            return (outer * x.dim(axis) + kept[i / inner % kept.length]) * inner + i % inner;
        });
    }

    private static NdArray oneHot(Call call) {
        NdArray indices = call.input(0);
        int depth = Math.toIntExact(call.whole(1, 0));
        NdArray values = call.input(2);
        int axis = call.axis(-1, indices.rank() + 1);
        int[] dims = Dims.concat(
                Arrays.copyOf(indices.dims(), axis),
                new int[] {depth},
                Arrays.copyOfRange(indices.dims(), axis, indices.rank()));
        int inner = Dims.product(indices.dims(), axis, indices.rank());
        return call.pick(values, dims, i -> {
            long at = indices.whole(i / inner / depth * inner + i % inner);
            return Axis.fromFront(at, depth) == i / inner % depth ? 1 : 0;
        });
    }

    private static NdArray nonZero(Call call) {
        NdArray x = call.input(0);
        int[] found = IntStream.range(0, x.size()).filter(x::truth).toArray();
        int[] strides = Dims.strides(x.dims());
        return call.whole(ElementType.INT64, new int[] {x.rank(), found.length}, i -> {
            int d = i / found.length;
            return found[i % found.length] / strides[d] % x.dim(d);
        });
    }
}
