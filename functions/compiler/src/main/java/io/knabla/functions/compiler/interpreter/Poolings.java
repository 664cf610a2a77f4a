package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.WindowAxis;
import java.util.List;
import java.util.Map;

/** Kernels of pooling and unpooling. */
final class Poolings {
    private Poolings() {}

    static void register(Map<String, Kernel> table) {
        table.put("MaxPool", Poolings::most);
        table.put("AveragePool", (Kernel.SingleOutput) call -> average(call, sliding(call)));
        table.put("LpPool", (Kernel.SingleOutput) call -> length(call, sliding(call)));
        table.put("GlobalAveragePool", (Kernel.SingleOutput) call -> average(call, whole(call)));
        table.put("GlobalLpPool", (Kernel.SingleOutput) call -> length(call, whole(call)));
        table.put("GlobalMaxPool", (Kernel.SingleOutput)
                call -> most(call, whole(call)).getFirst());
        table.put("MaxUnpool", (Kernel.SingleOutput) Poolings::unpooled);
    }

    private static Windows sliding(Call call) {
        int[] kernel =
                Dims.of(call.integers("kernel_shape").orElseThrow(() -> new EvaluationException("no kernel_shape")));
        return Windows.of(call, Convolutions.spatial(call.input(0)), kernel);
    }

    private static Windows whole(Call call) {
        return Windows.of(call, Convolutions.spatial(call.input(0)), Convolutions.spatial(call.input(0)));
    }

    private static int[] dims(NdArray x, Windows windows) {
        return Dims.concat(new int[] {x.dim(0), x.dim(1)}, windows.out());
    }

    private static List<NdArray> most(Call call) {
        return most(call, sliding(call));
    }

    private static List<NdArray> most(Call call, Windows windows) {
        NdArray x = call.input(0);
        int[] dims = call.checkedDims(dims(x, windows));
        int[] from = new int[Dims.size(dims)];
        for (int i = 0; i < from.length; i++) {
            int plane = i / windows.count() * windows.area();
            int best = -1;
            for (int k = 0; k < windows.kernel(); k++) {
                int tap = windows.tap(i % windows.count(), k);
                if (tap >= 0 && (best < 0 || x.real(plane + tap) > x.real(plane + best))) {
                    best = tap;
                }
            }
            if (best < 0) {
                throw new EvaluationException("a window covers padding only");
            }
            from[i] = plane + best;
        }
        boolean columns = call.integer("storage_order", 0) == 1;
        NdArray indices =
                call.whole(ElementType.INT64, dims, i -> columns ? columnMajor(from[i], windows.in()) : from[i]);
        return List.of(x.pick(dims, from), indices);
    }

    /** Index of the same element if the first spatial axis varies fastest. */
    private static long columnMajor(int at, int[] spatial) {
        int area = Dims.size(spatial);
        int rest = at % area;
        long position = 0;
        for (int d = spatial.length - 1; d >= 0; d--) {
            long stride = Dims.product(spatial, 0, d);
            position += rest % spatial[d] * stride;
            rest /= spatial[d];
        }
        return at - at % area + position;
    }

    private static NdArray average(Call call, Windows windows) {
        NdArray x = call.input(0);
        boolean padded = call.integer("count_include_pad", 0) == 1;
        return call.reals(x.element(), dims(x, windows), i -> {
            int plane = i / windows.count() * windows.area();
            double sum = 0;
            int count = 0;
            for (int k = 0; k < windows.kernel(); k++) {
                int tap = windows.tap(i % windows.count(), k);
                sum += tap < 0 ? 0 : x.real(plane + tap);
                count += tap >= 0 || padded && tap == Windows.PADDING ? 1 : 0;
            }
            return sum / count;
        });
    }

    private static NdArray length(Call call, Windows windows) {
        NdArray x = call.input(0);
        double p = call.integer("p", 2);
        return call.reals(x.element(), dims(x, windows), i -> {
            int plane = i / windows.count() * windows.area();
            double sum = 0;
            for (int k = 0; k < windows.kernel(); k++) {
                int tap = windows.tap(i % windows.count(), k);
                sum += tap < 0 ? 0 : Math.pow(Math.abs(x.real(plane + tap)), p);
            }
            return Math.pow(sum, 1 / p);
        });
    }

    private static NdArray unpooled(Call call) {
        NdArray x = call.input(0);
        NdArray indices = call.input(1);
        int[] kernel = Dims.of(call.integers("kernel_shape").orElse(new long[0]));
        List<WindowAxis> axes = Windows.axes(call, kernel);
        int[] dims = x.dims();
        for (int d = 0; d < kernel.length; d++) {
            dims[d + 2] = Math.toIntExact(axes.get(d).covered(dims[d + 2]));
        }
        if (call.has(2)) {
            dims = Dims.of(call.input(2).whole());
        }
        double[] y = new double[Dims.size(call.checkedDims(dims))];
        for (int i = 0; i < x.size(); i++) {
            y[Gathers.index(indices.whole(i), y.length)] = x.real(i);
        }
        return NdArray.reals(x.element(), dims, y);
    }
}
