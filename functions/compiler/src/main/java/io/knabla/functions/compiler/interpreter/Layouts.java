package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Kernels of operators that move or repeat elements without changing them. */
final class Layouts {
    private Layouts() {}

    static void register(Map<String, Kernel> table) {
        table.put("Reshape", (Kernel.SingleOutput) Layouts::reshape);
        table.put("Flatten", (Kernel.SingleOutput) Layouts::flatten);
        table.put("Squeeze", (Kernel.SingleOutput) Layouts::squeeze);
        table.put("Unsqueeze", (Kernel.SingleOutput) Layouts::unsqueeze);
        table.put("Transpose", (Kernel.SingleOutput) Layouts::transpose);
        table.put("Concat", (Kernel.SingleOutput) Layouts::concat);
        table.put("Split", Layouts::split);
        table.put("Slice", (Kernel.SingleOutput) Layouts::slice);
        table.put("Expand", (Kernel.SingleOutput) Layouts::expand);
        table.put("Tile", (Kernel.SingleOutput) Layouts::tile);
        table.put("DepthToSpace", (Kernel.SingleOutput) Layouts::depthToSpace);
        table.put("SpaceToDepth", (Kernel.SingleOutput) Layouts::spaceToDepth);
        table.put("ReverseSequence", (Kernel.SingleOutput) Layouts::reverse);
    }

    private static NdArray reshape(Call call) {
        NdArray x = call.input(0);
        long[] wanted = call.input(1).whole().clone();
        boolean zeros = call.integer("allowzero", 0) == 1;
        int open = -1;
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = wanted[i] == 0 && !zeros ? x.dim(i) : wanted[i];
            if (wanted[i] == -1) {
                open = i;
                wanted[i] = 1;
            }
        }
        if (open >= 0) {
            int rest = Dims.size(Dims.of(wanted));
            wanted[open] = rest == 0 ? 0 : x.size() / rest;
        }
        return x.withDims(Dims.of(wanted));
    }

    private static NdArray flatten(Call call) {
        NdArray x = call.input(0);
        long stated = call.integer("axis", 1);
        int axis = stated == x.rank() ? x.rank() : Dims.axis(stated, Math.max(1, x.rank()));
        return x.withDims(Dims.product(x.dims(), 0, axis), Dims.product(x.dims(), axis, x.rank()));
    }

    private static NdArray squeeze(Call call) {
        NdArray x = call.input(0);
        int[] axes = call.has(1)
                ? call.axes(1, x.rank())
                : IntStream.range(0, x.rank()).filter(d -> x.dim(d) == 1).toArray();
        return x.withDims(IntStream.range(0, x.rank())
                .filter(d -> Arrays.stream(axes).noneMatch(a -> a == d))
                .map(x::dim)
                .toArray());
    }

    private static NdArray unsqueeze(Call call) {
        NdArray x = call.input(0);
        int rank = x.rank() + call.input(1).size();
        int[] dims = new int[rank];
        for (int axis : call.axes(1, rank)) {
            dims[axis] = 1;
        }
        int next = 0;
        for (int d = 0; d < rank; d++) {
            dims[d] = dims[d] == 1 ? 1 : x.dim(next++);
        }
        return x.withDims(dims);
    }

    private static NdArray transpose(Call call) {
        NdArray x = call.input(0);
        int last = x.rank() - 1;
        int[] perm = call.integers("perm")
                .map(p -> Arrays.stream(p).mapToInt(a -> Dims.axis(a, x.rank())).toArray())
                .orElseGet(
                        () -> IntStream.rangeClosed(0, last).map(d -> last - d).toArray());
        return permuted(call, x, perm);
    }

    static NdArray permuted(Call call, NdArray x, int... perm) {
        int[] strides = Dims.strides(x.dims());
        int[] dims = Arrays.stream(perm).map(x::dim).toArray();
        return x.pick(
                call.checkedDims(dims),
                Dims.walk(dims, Arrays.stream(perm).map(d -> strides[d]).toArray(), 0));
    }

    private static NdArray concat(Call call) {
        NdArray first = call.input(0);
        int axis = call.axis(0, first.rank());
        int together = 0;
        for (int i = 0; i < call.inputs().size(); i++) {
            NdArray part = call.input(i);
            if (!Arrays.equals(Dims.with(part.dims(), axis, 0), Dims.with(first.dims(), axis, 0))) {
                throw new EvaluationException("its inputs differ beside axis " + axis);
            }
            together += part.dim(axis);
        }
        int[] from = new int[Dims.size(call.checkedDims(Dims.with(first.dims(), axis, together)))];
        int to = 0;
        for (int outer = 0; outer < Dims.product(first.dims(), 0, axis); outer++) {
            int start = 0;
            for (NdArray part : call.inputs()) {
                int block = Dims.product(part.dims(), axis, part.rank());
                for (int i = 0; i < block; i++) {
                    from[to++] = start + outer * block + i;
                }
                start += part.size();
            }
        }
        return NdArray.joined(call.inputs()).pick(Dims.with(first.dims(), axis, together), from);
    }

    private static List<NdArray> split(Call call) {
        NdArray x = call.input(0);
        int axis = call.axis(0, x.rank());
        int[] sizes = call.has(1) ? Dims.of(call.input(1).whole()) : even(x.dim(axis), call.integer("num_outputs", 0));
        if (Arrays.stream(sizes).asLongStream().sum() != x.dim(axis)) {
            throw new EvaluationException("the parts do not add up to " + x.dim(axis));
        }
        var parts = new ArrayList<NdArray>();
        int start = 0;
        for (int size : sizes) {
            int[] strides = Dims.strides(x.dims());
            int[] dims = Dims.with(x.dims(), axis, size);
            parts.add(x.pick(dims, Dims.walk(dims, strides, start * strides[axis])));
            start += size;
        }
        return parts;
    }

    private static int[] even(int size, long parts) {
        if (parts < 1 || parts > size) {
            throw new EvaluationException("%d in %d parts".formatted(size, parts));
        }
        int[] sizes = new int[(int) parts];
        int each = Math.ceilDiv(size, sizes.length);
        Arrays.fill(sizes, each);
        sizes[sizes.length - 1] = size - each * (sizes.length - 1);
        return sizes;
    }

    private static NdArray slice(Call call) {
        NdArray x = call.input(0);
        long[] starts = call.input(1).whole();
        long[] ends = call.input(2).whole();
        int[] axes = call.has(3)
                ? call.axes(3, x.rank())
                : IntStream.range(0, starts.length).toArray();
        int[] dims = x.dims();
        int[] strides = Dims.strides(dims);
        int offset = 0;
        for (int i = 0; i < axes.length; i++) {
            int size = x.dim(axes[i]);
            long step = call.has(4) ? call.input(4).whole(i) : 1;
            if (step == 0) {
                throw new EvaluationException("a step of 0");
            }
            long start = bound(starts[i], size, 0, step > 0 ? size : size - 1);
            long end = bound(ends[i], size, step > 0 ? 0 : -1, size);
            long count = Math.max(0, Math.ceilDiv(end - start, step));
            dims[axes[i]] = (int) count;
            offset += count == 0 ? 0 : (int) start * strides[axes[i]];
            strides[axes[i]] *= Math.clamp(step, -size, size);
        }
        return x.pick(call.checkedDims(dims), Dims.walk(dims, strides, offset));
    }

    private static long bound(long at, int size, long low, long high) {
        return Math.max(low, Math.min(Axis.fromFront(at, size), high));
    }

    private static NdArray expand(Call call) {
        NdArray x = call.input(0);
        int[] dims =
                call.checkedDims(Dims.broadcast(x.dims(), Dims.of(call.input(1).whole())));
        return x.pick(dims, Dims.spread(x.dims(), dims));
    }

    /** Each axis becomes a pair: repeats, then the axis itself. */
    private static NdArray tile(Call call) {
        NdArray x = call.input(0);
        int[] repeats = Dims.of(call.input(1).whole());
        int[] own = Dims.strides(x.dims());
        int[] pairs = new int[2 * x.rank()];
        int[] strides = new int[2 * x.rank()];
        int[] dims = x.dims();
        for (int d = 0; d < x.rank(); d++) {
            pairs[2 * d] = repeats[d];
            pairs[2 * d + 1] = x.dim(d);
            strides[2 * d + 1] = own[d];
            dims[d] = Dims.size(repeats[d], x.dim(d));
        }
        return x.pick(call.checkedDims(dims), Dims.walk(pairs, strides, 0));
    }

    private static NdArray depthToSpace(Call call) {
        NdArray x = call.input(0);
        int b = (int) call.integer("blocksize", 1);
        int n = x.dim(0);
        int c = x.dim(1) / (b * b);
        int h = x.dim(2);
        int w = x.dim(3);
        NdArray apart = call.text("mode", "DCR").equals("DCR")
                ? permuted(call, x.withDims(n, b, b, c, h, w), 0, 3, 4, 1, 5, 2)
                : permuted(call, x.withDims(n, c, b, b, h, w), 0, 1, 4, 2, 5, 3);
        return apart.withDims(n, c, h * b, w * b);
    }

    private static NdArray spaceToDepth(Call call) {
        NdArray x = call.input(0);
        int b = (int) call.integer("blocksize", 1);
        int n = x.dim(0);
        int c = x.dim(1);
        int h = x.dim(2) / b;
        int w = x.dim(3) / b;
        return permuted(call, x.withDims(n, c, h, b, w, b), 0, 3, 5, 1, 2, 4).withDims(n, c * b * b, h, w);
    }

    private static NdArray reverse(Call call) {
        NdArray x = call.input(0);
        int batch = (int) call.integer("batch_axis", 1);
        int time = (int) call.integer("time_axis", 0);
        int[] strides = Dims.strides(x.dims());
        return call.pick(x, x.dims(), i -> {
            int t = i / strides[time] % x.dim(time);
            int length = (int) call.input(1).whole(i / strides[batch] % x.dim(batch));
            return t < length ? i + (length - 1 - 2 * t) * strides[time] : i;
        });
    }
}
