package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.WindowAxis.AutoPad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Kernels of convolutions, transposed convolutions and Col2Im. */
final class Convolutions {
    private Convolutions() {}

    static void register(Map<String, Kernel> table) {
        table.put("Conv", (Kernel.SingleOutput) Convolutions::convolved);
        table.put("ConvTranspose", (Kernel.SingleOutput) Convolutions::transposed);
        table.put("ConvInteger", (Kernel.SingleOutput) Convolutions::integers);
        table.put("Col2Im", (Kernel.SingleOutput) Convolutions::folded);
    }

    static int[] spatial(NdArray x) {
        return Arrays.copyOfRange(x.dims(), 2, x.rank());
    }

    private static NdArray convolved(Call call) {
        NdArray x = call.input(0);
        NdArray w = call.input(1);
        return NdArray.reals(
                x.element(),
                dims(call, x, w),
                sums(call, x.reals(), w.reals(), call.maybe(2).orElse(null)));
    }

    private static int[] dims(Call call, NdArray x, NdArray w) {
        Windows windows = Windows.of(call, spatial(x), spatial(w));
        return Dims.concat(new int[] {x.dim(0), w.dim(0)}, windows.out());
    }

    /** @param bias null for none */
    private static double[] sums(Call call, double[] x, double[] w, NdArray bias) {
        int[] xDims = call.input(0).dims();
        int[] wDims = call.input(1).dims();
        Windows windows = Windows.of(call, spatial(call.input(0)), spatial(call.input(1)));
        int groups = Math.toIntExact(call.integer("group", 1));
        int inGroup = wDims[1];
        int outGroup = wDims[0] / groups;
        if (inGroup * groups != xDims[1] || outGroup * groups != wDims[0]) {
            throw new EvaluationException("channels do not fit the groups");
        }
        int count = windows.count();
        call.spend(xDims[0], wDims[0], count, inGroup, windows.kernel());
        double[] y = new double[Dims.size(call.checkedDims(xDims[0], wDims[0], count))];
        for (int i = 0; i < y.length; i++) {
            int o = i % count;
            int channel = i / count % wDims[0];
            int first = i / count / wDims[0] * xDims[1] + channel / outGroup * inGroup;
            double sum = bias == null ? 0 : bias.real(channel);
            for (int c = 0; c < inGroup; c++) {
                int xAt = (first + c) * windows.area();
                int wAt = (channel * inGroup + c) * windows.kernel();
                for (int k = 0; k < windows.kernel(); k++) {
                    int tap = windows.tap(o, k);
                    sum += tap < 0 ? 0 : x[xAt + tap] * w[wAt + k];
                }
            }
            y[i] = sum;
        }
        return y;
    }

    private static NdArray integers(Call call) {
        NdArray x = call.input(0);
        NdArray w = call.input(1);
        double[] shiftedX =
                Arrays.stream(x.reals()).map(v -> v - call.whole(2, 0)).toArray();
        double[] shiftedW = w.reals().clone();
        int perChannel = w.size() / Math.max(1, w.dim(0));
        for (int i = 0; i < shiftedW.length && call.has(3); i++) {
            NdArray zero = call.input(3);
            shiftedW[i] -= zero.whole(zero.size() == 1 ? 0 : i / perChannel);
        }
        double[] y = sums(call, shiftedX, shiftedW, null);
        return call.whole(ElementType.INT32, dims(call, x, w), i -> (long) y[i]);
    }

    /** Adds each input element times the kernel at the positions that the window of Conv would read. */
    private static NdArray transposed(Call call) {
        NdArray x = call.input(0);
        NdArray w = call.input(1);
        Windows windows = spreading(call, spatial(x), spatial(w));
        int groups = Math.toIntExact(call.integer("group", 1));
        int inGroup = x.dim(1) / groups;
        int outGroup = w.dim(1);
        int channels = outGroup * groups;
        int[] dims = Dims.concat(new int[] {x.dim(0), channels}, windows.in());
        call.spend(x.size(), outGroup, windows.kernel());
        double[] y = new double[Dims.size(call.checkedDims(dims))];
        for (int i = 0; i < y.length && call.has(2); i++) {
            y[i] = call.input(2).real(i / windows.area() % channels);
        }
        int count = windows.count();
        for (int i = 0; i < x.size(); i++) {
            int o = i % count;
            int from = i / count % x.dim(1);
            int first = i / count / x.dim(1) * channels + from / inGroup * outGroup;
            for (int c = 0; c < outGroup; c++) {
                for (int k = 0; k < windows.kernel(); k++) {
                    int tap = windows.tap(o, k);
                    if (tap >= 0) {
                        y[(first + c) * windows.area() + tap] +=
                                x.real(i) * w.real((from * outGroup + c) * windows.kernel() + k);
                    }
                }
            }
        }
        return NdArray.reals(x.element(), dims, y);
    }

    private static Windows spreading(Call call, int[] in, int[] kernel) {
        var axes = new ArrayList<>(Windows.axes(call, kernel));
        int n = in.length;
        long[] extra = Windows.list(call, "output_padding", n, 0);
        AutoPad auto = AutoPad.of(call.text("auto_pad", ""));
        Optional<long[]> fixed = call.integers("output_shape");
        int[] out = new int[n];
        for (int d = 0; d < n; d++) {
            int axis = d;
            long size = fixed.map(shape -> shape[axis + shape.length - n])
                    .orElseGet(() -> in[axis] * axes.get(axis).stride());
            if (fixed.isPresent() || auto.same()) {
                axes.set(d, axes.get(d).covering(in[d], size - extra[d], auto));
            } else {
                size = axes.get(d).covered(in[d]) + extra[d];
            }
            out[d] = Math.toIntExact(size);
        }
        return Windows.of(call, out, in, axes);
    }

    private static NdArray folded(Call call) {
        NdArray x = call.input(0);
        int[] image = Dims.of(call.input(1).whole());
        Windows windows = Windows.of(call, image, Dims.of(call.input(2).whole()));
        int count = windows.count();
        int channels = x.dim(1) / windows.kernel();
        if (count != x.dim(2) || channels * windows.kernel() != x.dim(1)) {
            throw new EvaluationException("blocks do not fit the image");
        }
        int[] dims = Dims.concat(new int[] {x.dim(0), channels}, image);
        double[] y = new double[Dims.size(call.checkedDims(dims))];
        for (int i = 0; i < x.size(); i++) {
            int tap = windows.tap(i % count, i / count % windows.kernel());
            int plane = i / count / windows.kernel();
            if (tap >= 0) {
                y[plane * windows.area() + tap] += x.real(i);
            }
        }
        return NdArray.reals(x.element(), dims, y);
    }
}
