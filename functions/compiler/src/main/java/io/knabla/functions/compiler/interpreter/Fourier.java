package io.knabla.functions.compiler.interpreter;

import java.util.Map;

/** Kernel of the discrete Fourier transform, computed by its definition. */
final class Fourier {
    private Fourier() {}

    static void register(Map<String, Kernel> table) {
        table.put("DFT", (Kernel.SingleOutput) Fourier::transform);
    }

    /** {@code [.., n, .., 1 or 2]} to {@code [.., m, .., 2]}: real and imaginary parts last. */
    private static NdArray transform(Call call) {
        NdArray x = call.input(0);
        int axis = Dims.axis(call.whole(2, -2), x.rank());
        int parts = x.dim(-1);
        if (parts != 1 && parts != 2 || axis == x.rank() - 1) {
            throw new EvaluationException("the last axis must hold real and imaginary parts");
        }
        boolean inverse = call.integer("inverse", 0) == 1;
        boolean half = call.integer("onesided", 0) == 1;
        int given = x.dim(axis);
        int length = Math.toIntExact(call.whole(1, inverse && half ? 2L * (given - 1) : given));
        if (inverse && half) {
            return real(call, x, axis, length);
        }
        int results = half ? length / 2 + 1 : length;
        AxisView along = AxisView.of(x, axis);
        int inner = along.inner() / parts;
        int[] dims = Dims.with(Dims.with(x.dims(), axis, results), x.rank() - 1, 2);
        call.spend(along.outer(), inner, results, length);
        double[] y = new double[Dims.size(call.checkedDims(dims))];
        for (int i = 0; i < y.length / 2; i++) {
            int k = i / inner % results;
            int outer = i / inner / results;
            for (int n = 0; n < Math.min(length, along.size()); n++) {
                int at = ((outer * along.size() + n) * inner + i % inner) * parts;
                double turn = 2 * Math.PI * ((long) k * n % length) / length;
                double cos = Math.cos(turn);
                double sin = inverse ? Math.sin(turn) : -Math.sin(turn);
                double im = parts == 2 ? x.real(at + 1) : 0;
                y[2 * i] += x.real(at) * cos - im * sin;
                y[2 * i + 1] += x.real(at) * sin + im * cos;
            }
            y[2 * i] /= inverse ? length : 1;
            y[2 * i + 1] /= inverse ? length : 1;
        }
        return NdArray.reals(x.element(), dims, y);
    }

    /** Real signal of a one-sided spectrum; the other half is its mirror image. */
    private static NdArray real(Call call, NdArray x, int axis, int length) {
        AxisView along = AxisView.of(x, axis);
        int inner = along.inner() / 2;
        int bins = Math.min(length / 2 + 1, along.size());
        int[] dims = Dims.with(Dims.with(x.dims(), axis, length), x.rank() - 1, 1);
        call.spend(along.outer(), inner, length, bins);
        return call.reals(x.element(), dims, i -> {
            int k = i / inner % length;
            int outer = i / inner / length;
            double sum = 0;
            for (int n = 0; n < bins; n++) {
                int at = ((outer * along.size() + n) * inner + i % inner) * 2;
                double turn = 2 * Math.PI * ((long) k * n % length) / length;
                boolean alone = n == 0 || 2 * n == length;
                double part = x.real(at) * Math.cos(turn) - x.real(at + 1) * Math.sin(turn);
                sum += alone ? part : 2 * part;
            }
            return sum / length;
        });
    }
}
