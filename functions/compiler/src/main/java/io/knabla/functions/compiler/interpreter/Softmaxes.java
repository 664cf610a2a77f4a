package io.knabla.functions.compiler.interpreter;

import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Kernels of Softmax, LogSoftmax and Hardmax. */
final class Softmaxes {
    private Softmaxes() {}

    static void register(Map<String, Kernel> table) {
        lines(table, "Softmax", Softmaxes::softmax);
        lines(table, "LogSoftmax", Softmaxes::logSoftmax);
        lines(table, "Hardmax", Softmaxes::hardmax);
    }

    private static void lines(Map<String, Kernel> table, String op, UnaryOperator<double[]> change) {
        table.put(op, (Kernel.SingleOutput)
                call -> along(call, call.input(0), call.axis(-1, call.input(0).rank()), change));
    }

    /** Replaces every line along an axis by another of the same length. */
    static NdArray along(Call call, NdArray x, int axis, UnaryOperator<double[]> change) {
        AxisView along = AxisView.of(x, axis);
        double[] out = new double[Dims.size(call.checkedDims(x.dims()))];
        for (int line = 0; line < along.lines(); line++) {
            double[] changed = change.apply(along.line(x, line));
            for (int k = 0; k < along.size(); k++) {
                out[along.at(line, k)] = changed[k];
            }
        }
        return NdArray.reals(x.element(), x.dims(), out);
    }

    private static double[] softmax(double[] line) {
        double most = Arrays.stream(line).max().orElse(0);
        double sum = Arrays.stream(line).map(x -> Math.exp(x - most)).sum();
        return Arrays.stream(line).map(x -> Math.exp(x - most) / sum).toArray();
    }

    static double[] logSoftmax(double[] line) {
        double most = Arrays.stream(line).max().orElse(0);
        double log = Math.log(Arrays.stream(line).map(x -> Math.exp(x - most)).sum());
        return Arrays.stream(line).map(x -> x - most - log).toArray();
    }

    private static double[] hardmax(double[] line) {
        int best = 0;
        for (int k = 1; k < line.length; k++) {
            best = line[k] > line[best] ? k : best;
        }
        double[] hard = new double[line.length];
        hard[best] = 1;
        return hard;
    }
}
