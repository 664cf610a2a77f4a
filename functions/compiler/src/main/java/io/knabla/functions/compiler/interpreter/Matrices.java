package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Arrays;
import java.util.Map;

/** Kernels of matrix products and determinants. */
final class Matrices {
    private Matrices() {}

    static void register(Map<String, Kernel> table) {
        table.put("MatMul", (Kernel.SingleOutput) call -> product(call, call.input(0), call.input(1)));
        table.put("Gemm", (Kernel.SingleOutput) Matrices::gemm);
        table.put("MatMulInteger", (Kernel.SingleOutput) Matrices::integers);
        table.put("Einsum", (Kernel.SingleOutput) Einsum::run);
        table.put("Det", (Kernel.SingleOutput) Matrices::determinants);
    }

    static NdArray product(Call call, NdArray a, NdArray b) {
        if (a.rank() == 0 || b.rank() == 0) {
            throw new EvaluationException("a scalar is no matrix");
        }
        NdArray left = a.rank() == 1 ? a.withDims(1, a.dim(0)) : a;
        NdArray right = b.rank() == 1 ? b.withDims(b.dim(0), 1) : b;
        int n = left.dim(-2);
        int k = left.dim(-1);
        int m = right.dim(-1);
        if (right.dim(-2) != k) {
            throw new EvaluationException(
                    "%s and %s do not multiply".formatted(Arrays.toString(a.dims()), Arrays.toString(b.dims())));
        }
        int[] outerLeft = Arrays.copyOf(left.dims(), left.rank() - 2);
        int[] outerRight = Arrays.copyOf(right.dims(), right.rank() - 2);
        int[] outer = Dims.broadcast(outerLeft, outerRight);
        int[] leftAt = Dims.spread(outerLeft, outer);
        int[] rightAt = Dims.spread(outerRight, outer);
        call.spend(leftAt.length, n, k, m);
        double[] out = new double[Dims.size(call.checkedDims(Dims.concat(outer, new int[] {n, m})))];
        double[] leftValues = left.reals();
        double[] rightValues = right.reals();
        for (int i = 0; i < leftAt.length; i++) {
            multiply(leftValues, leftAt[i] * n * k, rightValues, rightAt[i] * k * m, out, i * n * m, new int[] {n, k, m
            });
        }
        int[] dims = Dims.concat(
                outer, a.rank() == 1 ? new int[0] : new int[] {n}, b.rank() == 1 ? new int[0] : new int[] {m});
        return typed(call, a.element(), dims, out);
    }

    private static NdArray typed(Call call, ElementType element, int[] dims, double[] values) {
        return element.isFloat()
                ? NdArray.reals(element, dims, values)
                : call.whole(element, dims, i -> (long) values[i]);
    }

    /** @param nkm rows of a, columns of a, columns of b */
    private static void multiply(double[] a, int atA, double[] b, int atB, double[] out, int at, int[] nkm) {
        int n = nkm[0];
        int k = nkm[1];
        int m = nkm[2];
        for (int i = 0; i < n; i++) {
            for (int p = 0; p < k; p++) {
                double x = a[atA + i * k + p];
                for (int j = 0; j < m; j++) {
                    out[at + i * m + j] += x * b[atB + p * m + j];
                }
            }
        }
    }

    static NdArray transposed(NdArray matrix) {
        int rows = matrix.dim(0);
        int columns = matrix.dim(1);
        return matrix.pick(new int[] {columns, rows}, i -> i % rows * columns + i / rows);
    }

    private static NdArray gemm(Call call) {
        NdArray a = call.integer("transA", 0) == 1 ? transposed(call.input(0)) : call.input(0);
        NdArray b = call.integer("transB", 0) == 1 ? transposed(call.input(1)) : call.input(1);
        double alpha = call.real("alpha", 1);
        double beta = call.real("beta", 1);
        // One rounding at the end, as in a fused kernel.
        NdArray ab = product(call, exact(a), exact(b));
        if (!call.has(2)) {
            return typed(call, a.element(), ab.dims(), scaled(ab, alpha));
        }
        NdArray c = call.input(2);
        int[] at = Dims.spread(c.dims(), ab.dims());
        double[] out = scaled(ab, alpha);
        for (int i = 0; i < out.length; i++) {
            out[i] += beta * c.real(at[i]);
        }
        return typed(call, a.element(), ab.dims(), out);
    }

    private static NdArray exact(NdArray x) {
        return NdArray.reals(ElementType.DOUBLE, x.dims(), x.reals());
    }

    private static double[] scaled(NdArray x, double factor) {
        return Arrays.stream(x.reals()).map(v -> factor * v).toArray();
    }

    private static NdArray integers(Call call) {
        NdArray a = shifted(call, call.input(0), 2, -2);
        NdArray b = shifted(call, call.input(1), 3, -1);
        return product(call, a, b);
    }

    /** Subtracts the zero point: one for all, one for each row of a, or one for each column of b. */
    private static NdArray shifted(Call call, NdArray x, int zeroInput, int axis) {
        if (!call.has(zeroInput)) {
            return call.whole(ElementType.INT32, x.dims(), x::whole);
        }
        NdArray zero = call.input(zeroInput);
        int[] along = new int[x.rank()];
        Arrays.fill(along, 1);
        if (zero.rank() == 1 && zero.size() > 1) {
            along[axis + x.rank()] = zero.size();
        } else if (zero.size() > 1) {
            along = zero.dims();
        }
        int[] at = Dims.spread(along, x.dims());
        return call.whole(ElementType.INT32, x.dims(), i -> x.whole(i) - zero.whole(at[i]));
    }

    private static NdArray determinants(Call call) {
        NdArray x = call.input(0);
        int n = x.dim(-1);
        int[] outer = Arrays.copyOf(x.dims(), x.rank() - 2);
        call.spend(x.size(), n);
        double[] out = new double[Dims.size(outer)];
        for (int i = 0; i < out.length; i++) {
            out[i] = determinant(Arrays.copyOfRange(x.reals(), i * n * n, (i + 1) * n * n), n);
        }
        return NdArray.reals(x.element(), outer, out);
    }

    /** Gaussian elimination with row pivots, in place. */
    private static double determinant(double[] a, int n) {
        double product = 1;
        for (int c = 0; c < n; c++) {
            int pivot = c;
            for (int r = c + 1; r < n; r++) {
                pivot = Math.abs(a[r * n + c]) > Math.abs(a[pivot * n + c]) ? r : pivot;
            }
            if (a[pivot * n + c] == 0) {
                return 0;
            }
            for (int j = 0; j < n && pivot != c; j++) {
                double swap = a[c * n + j];
                a[c * n + j] = a[pivot * n + j];
                a[pivot * n + j] = swap;
            }
            product *= pivot == c ? a[c * n + c] : -a[c * n + c];
            for (int r = c + 1; r < n; r++) {
                double factor = a[r * n + c] / a[c * n + c];
                for (int j = c; j < n; j++) {
                    a[r * n + j] -= factor * a[c * n + j];
                }
            }
        }
        return product;
    }
}
