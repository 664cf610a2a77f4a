package io.knabla.functions.compiler.autodiff.replay;

import io.knabla.functions.compiler.interpreter.NdArray;
import java.util.Arrays;
import java.util.Map;

/**
 * Relative error of results: the norm of the difference over the norm of the expected tensor. A tensor with a norm
 * below 0.3 % of the largest of its case is compared to that bound: the gradient of a bias before a normalisation is
 * zero except for rounding.
 */
final class RelativeError {
    private static final double SMALL = 3e-3;
    private static final double TINY = 1e-6;

    private RelativeError() {}

    /** @param suffix of the name that a result has in {@code found} */
    static Outcome of(
            Map<String, NdArray> found, String prefix, String suffix, Map<String, NdArray> expected, double tolerance) {
        double largest = expected.values().stream()
                .mapToDouble(e -> norm(e.reals()))
                .max()
                .orElse(0);
        String worst = "";
        double error = 0;
        for (Map.Entry<String, NdArray> one : expected.entrySet()) {
            NdArray result = found.get(prefix + one.getKey() + suffix);
            double d = result == null ? Double.POSITIVE_INFINITY : one(result, one.getValue(), largest);
            if (!(d <= error)) {
                error = Double.isNaN(d) ? Double.POSITIVE_INFINITY : d;
                worst = one.getKey();
            }
        }
        return error <= tolerance ? new Outcome.Agrees(error) : new Outcome.Differs(worst, error);
    }

    private static double one(NdArray found, NdArray expected, double largest) {
        if (!Arrays.equals(found.dims(), expected.dims())) {
            return Double.POSITIVE_INFINITY;
        }
        double[] e = expected.reals();
        double[] d = found.reals().clone();
        for (int i = 0; i < d.length; i++) {
            d[i] = same(d[i], e[i]) ? 0 : d[i] - e[i];
        }
        return norm(d) / Math.max(norm(e), Math.max(SMALL * largest, TINY));
    }

    /** Infinities of one sign are equal, and so are two NaNs. */
    private static boolean same(double a, double b) {
        return a == b || Double.isNaN(a) && Double.isNaN(b);
    }

    private static double norm(double[] values) {
        return Math.sqrt(Arrays.stream(values)
                .filter(v -> !Double.isInfinite(v))
                .map(v -> v * v)
                .sum());
    }
}
