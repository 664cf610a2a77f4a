package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** Kernel of Resize; each axis is interpolated by a small matrix. */
final class Resizes {
    private Resizes() {}

    static void register(Map<String, Kernel> table) {
        table.put("Resize", (Kernel.SingleOutput) Resizes::resize);
    }

    /** @param scale new size over old, as stated or derived from the sizes */
    private record AxisScaling(Call call, int in, int out, double scale) {

        double[][] matrix() {
            double[][] matrix = new double[out][in];
            for (int o = 0; o < out; o++) {
                double at = coordinate(o);
                switch (call.text("mode", "nearest")) {
                    case "nearest" -> matrix[o][nearest(at)] = 1;
                    case "linear" -> linear(matrix[o], Math.clamp(at, 0.0, in - 1.0));
                    case "cubic" -> cubic(matrix[o], at);
                    default -> throw new EvaluationException("an unknown mode");
                }
            }
            return matrix;
        }

        private double coordinate(int o) {
            return switch (call.text("coordinate_transformation_mode", "half_pixel")) {
                case "half_pixel" -> (o + 0.5) / scale - 0.5;
                case "pytorch_half_pixel" -> out > 1 ? (o + 0.5) / scale - 0.5 : 0;
                case "asymmetric" -> o / scale;
                case "align_corners" -> out == 1 ? 0 : o * (in - 1.0) / (out - 1);
                case "half_pixel_symmetric" -> {
                    double adjustment = out / (scale * in);
                    double offset = in / 2.0 * (1 - adjustment);
                    yield offset + (o + 0.5) / scale - 0.5;
                }
                default -> throw new EvaluationException("this coordinate_transformation_mode");
            };
        }

        private int nearest(double at) {
            double near = switch (call.text("nearest_mode", "round_prefer_floor")) {
                case "round_prefer_floor" -> Math.ceil(at - 0.5);
                case "round_prefer_ceil" -> Math.floor(at + 0.5);
                case "floor" -> Math.floor(at);
                case "ceil" -> Math.ceil(at);
                default -> throw new EvaluationException("an unknown nearest_mode");
            };
            return (int) Math.clamp(near, 0.0, in - 1.0);
        }

        private void linear(double[] weights, double at) {
            int low = (int) Math.floor(at);
            weights[low] += 1 - (at - low);
            weights[Math.min(low + 1, in - 1)] += at - low;
        }

        private void cubic(double[] weights, double at) {
            double a = call.real("cubic_coeff_a", -0.75f);
            boolean inside = call.integer("exclude_outside", 0) == 1;
            int low = (int) Math.floor(at);
            for (int k = -1; k <= 2; k++) {
                boolean outside = low + k < 0 || low + k >= in;
                double weight = inside && outside ? 0 : bump(Math.abs(at - low - k), a);
                weights[Math.clamp(low + k, 0, in - 1)] += weight;
            }
            double sum = inside ? Arrays.stream(weights).sum() : 1;
            for (int i = 0; i < in; i++) {
                weights[i] /= sum;
            }
        }

        /** Keys' cubic convolution kernel. */
        private static double bump(double x, double a) {
            return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
        }
    }

    private static NdArray resize(Call call) {
        NdArray x = call.input(0);
        if (call.integer("antialias", 0) == 1
                || !call.text("keep_aspect_ratio_policy", "stretch").equals("stretch")) {
            throw new EvaluationException("Resize with antialias or kept aspect is not evaluated");
        }
        int[] axes = call.integers("axes")
                .map(a -> Arrays.stream(a).mapToInt(v -> Dims.axis(v, x.rank())).toArray())
                .orElseGet(() -> IntStream.range(0, x.rank()).toArray());
        NdArray wide = NdArray.reals(ElementType.DOUBLE, x.dims(), x.reals());
        for (int i = 0; i < axes.length; i++) {
            AxisScaling scaled = scaled(call, x.dim(axes[i]), i);
            boolean same = scaled.in == scaled.out && scaled.scale == 1;
            wide = same ? wide : applied(call, wide, axes[i], scaled);
        }
        return x.element().isFloat()
                ? NdArray.reals(x.element(), wide.dims(), wide.reals())
                : NdArray.whole(x.element(), wide.dims(), wide.whole());
    }

    private static AxisScaling scaled(Call call, int in, int axis) {
        if (call.has(3) && call.input(3).size() > 0) {
            int out = Math.toIntExact(call.input(3).whole(axis));
            return new AxisScaling(call, in, out, out / (double) in);
        }
        double scale = call.input(2).real(axis);
        return new AxisScaling(call, in, (int) Math.floor(in * scale), scale);
    }

    private static NdArray applied(Call call, NdArray x, int axis, AxisScaling scaled) {
        int[] dims = call.checkedDims(Dims.with(x.dims(), axis, scaled.out));
        call.spend(Dims.size(dims), scaled.in);
        call.spend(scaled.out, scaled.in);
        double[][] matrix = scaled.matrix();
        AxisView along = AxisView.of(x, axis);
        return call.reals(ElementType.DOUBLE, dims, i -> {
            double[] weights = matrix[i / along.inner() % scaled.out];
            int line = i / along.inner() / scaled.out * along.inner() + i % along.inner();
            double sum = 0;
            for (int k = 0; k < weights.length; k++) {
                sum += weights[k] == 0 ? 0 : weights[k] * x.real(along.at(line, k));
            }
            return sum;
        });
    }
}
