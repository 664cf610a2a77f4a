package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Kernels of normalisations to mean 0 and variance 1, or to length 1. */
final class Normalizations {
    private Normalizations() {}

    static void register(Map<String, Kernel> table) {
        table.put("LayerNormalization", Normalizations::layer);
        table.put("BatchNormalization", Normalizations::batch);
        table.put("InstanceNormalization", (Kernel.SingleOutput) Normalizations::instance);
        table.put("GroupNormalization", (Kernel.SingleOutput) Normalizations::group);
        table.put("RMSNormalization", (Kernel.SingleOutput) Normalizations::rms);
        table.put("LpNormalization", (Kernel.SingleOutput) Normalizations::lp);
        table.put("MeanVarianceNormalization", (Kernel.SingleOutput) Normalizations::meanVariance);
        table.put("LRN", (Kernel.SingleOutput) Normalizations::local);
    }

    private static double epsilon(Call call) {
        return call.real("epsilon", 1e-5f);
    }

    /** Mean and variance of each run of {@code run} consecutive elements. */
    private record Moments(int run, double[] mean, double[] variance) {
        static Moments of(NdArray x, int run) {
            int count = run == 0 ? 0 : x.size() / run;
            double[] mean = new double[count];
            double[] variance = new double[count];
            for (int i = 0; i < x.size(); i++) {
                mean[i / run] += x.real(i) / run;
            }
            for (int i = 0; i < x.size(); i++) {
                double off = x.real(i) - mean[i / run];
                variance[i / run] += off * off / run;
            }
            return new Moments(run, mean, variance);
        }

        double inverse(int i, double epsilon) {
            return 1 / Math.sqrt(variance[i] + epsilon);
        }

        double normal(NdArray x, int i, double epsilon) {
            return (x.real(i) - mean[i / run]) * inverse(i / run, epsilon);
        }
    }

    private static List<NdArray> layer(Call call) {
        NdArray x = call.input(0);
        int axis = call.axis(-1, x.rank());
        int run = Dims.product(x.dims(), axis, x.rank());
        Moments moments = Moments.of(x, run);
        double epsilon = epsilon(call);
        int[] scale = Dims.spread(call.input(1).dims(), x.dims());
        int[] bias = call.has(2) ? Dims.spread(call.input(2).dims(), x.dims()) : scale;
        NdArray y = call.reals(
                x.element(),
                x.dims(),
                i -> moments.normal(x, i, epsilon) * call.input(1).real(scale[i])
                        + (call.has(2) ? call.input(2).real(bias[i]) : 0));
        int[] dims = x.dims();
        Arrays.fill(dims, axis, dims.length, 1);
        ElementType stash = ElementType.of((int) call.integer("stash_type", 1));
        return List.of(
                y, NdArray.reals(stash, dims, moments.mean), call.reals(stash, dims, i -> moments.inverse(i, epsilon)));
    }

    private static NdArray rms(Call call) {
        NdArray x = call.input(0);
        int run = Dims.product(x.dims(), call.axis(-1, x.rank()), x.rank());
        double[] squares = new double[run == 0 ? 0 : x.size() / run];
        for (int i = 0; i < x.size(); i++) {
            squares[i / run] += x.real(i) * x.real(i) / run;
        }
        int[] scale = Dims.spread(call.input(1).dims(), x.dims());
        double epsilon = epsilon(call);
        return call.reals(
                x.element(),
                x.dims(),
                i -> x.real(i)
                        / Math.sqrt(squares[i / run] + epsilon)
                        * call.input(1).real(scale[i]));
    }

    /** The channel of a position in {@code [batch, channels, …]}. */
    private static int channel(NdArray x, int i) {
        return i / Dims.product(x.dims(), 2, x.rank()) % x.dim(1);
    }

    private static List<NdArray> batch(Call call) {
        NdArray flat = call.input(0);
        NdArray x = flat.rank() == 1 ? flat.withDims(flat.size(), 1) : flat;
        NdArray mean = call.input(3);
        NdArray variance = call.input(4);
        if (call.integer("training_mode", 0) == 0) {
            return List.of(affine(call, x, mean, variance).withDims(flat.dims()));
        }
        int channels = x.dim(1);
        int[] order = IntStream.range(0, x.rank()).toArray();
        order[0] = 1;
        order[1] = 0;
        NdArray together = Layouts.permuted(call, x, order);
        Moments moments = Moments.of(together, x.size() / Math.max(1, channels));
        double momentum = call.real("momentum", 0.9f);
        int[] dims = {channels};
        return List.of(
                affine(
                                call,
                                x,
                                NdArray.reals(ElementType.DOUBLE, dims, moments.mean),
                                NdArray.reals(ElementType.DOUBLE, dims, moments.variance))
                        .withDims(flat.dims()),
                call.reals(mean.element(), dims, c -> mean.real(c) * momentum + moments.mean[c] * (1 - momentum)),
                call.reals(
                        mean.element(), dims, c -> variance.real(c) * momentum + moments.variance[c] * (1 - momentum)));
    }

    private static NdArray affine(Call call, NdArray x, NdArray mean, NdArray variance) {
        double epsilon = epsilon(call);
        return call.reals(x.element(), x.dims(), i -> {
            int c = channel(x, i);
            return (x.real(i) - mean.real(c))
                            / Math.sqrt(variance.real(c) + epsilon)
                            * call.input(1).real(c)
                    + call.input(2).real(c);
        });
    }

    private static NdArray instance(Call call) {
        return grouped(call, Dims.product(call.input(0).dims(), 2, call.input(0).rank()));
    }

    private static NdArray group(Call call) {
        NdArray x = call.input(0);
        long groups = call.integer("num_groups", 1);
        return grouped(call, Dims.product(x.dims(), 1, x.rank()) / Math.toIntExact(groups));
    }

    /** Scale and bias hold one number per channel, or (before opset 21) one per group. */
    private static NdArray grouped(Call call, int run) {
        NdArray x = call.input(0);
        Moments moments = Moments.of(x, run);
        double epsilon = epsilon(call);
        int share = Math.max(1, x.dim(1) / Math.max(1, call.input(1).size()));
        return call.reals(x.element(), x.dims(), i -> {
            int c = channel(x, i) / share;
            return moments.normal(x, i, epsilon) * call.input(1).real(c)
                    + call.input(2).real(c);
        });
    }

    private static NdArray lp(Call call) {
        NdArray x = call.input(0);
        long p = call.integer("p", 2);
        return Softmaxes.along(call, x, call.axis(-1, x.rank()), line -> {
            double norm = p == 1
                    ? Arrays.stream(line).map(Math::abs).sum()
                    : Math.sqrt(Arrays.stream(line).map(v -> v * v).sum());
            return Arrays.stream(line).map(v -> norm == 0 ? 0 : v / norm).toArray();
        });
    }

    private static NdArray meanVariance(Call call) {
        NdArray x = call.input(0);
        int[] axes = Arrays.stream(call.integers("axes").orElse(new long[] {0, 2, 3}))
                .mapToInt(a -> Dims.axis(a, x.rank()))
                .toArray();
        var plan = Reductions.Plan.of(call, x, axes, false);
        double[] sum = plan.fold(x, 0, Double::sum);
        double[] squares = plan.fold(x, 0, (a, v) -> a + v * v);
        double count = plan.count();
        return call.reals(x.element(), x.dims(), i -> {
            int t = plan.target()[i];
            double mean = sum[t] / count;
            return (x.real(i) - mean) / (Math.sqrt(squares[t] / count - mean * mean) + 1e-9);
        });
    }

    private static NdArray local(Call call) {
        NdArray x = call.input(0);
        int size = (int) call.integer("size", 1);
        double alpha = call.real("alpha", 1e-4f);
        double beta = call.real("beta", 0.75f);
        double bias = call.real("bias", 1);
        int stride = Dims.product(x.dims(), 2, x.rank());
        int before = (size - 1) / 2;
        return call.reals(x.element(), x.dims(), i -> {
            int c = channel(x, i);
            double squares = 0;
            int last = Math.min(x.dim(1) - 1, c + size - 1 - before);
            for (int k = Math.max(0, c - before); k <= last; k++) {
                double v = x.real(i + (k - c) * stride);
                squares += v * v;
            }
            return x.real(i) / Math.pow(bias + alpha / size * squares, beta);
        });
    }
}
