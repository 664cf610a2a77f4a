package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Map;

/** Kernels of operators that create tensors from sizes, shapes or attributes. */
final class Generators {
    private Generators() {}

    static void register(Map<String, Kernel> table) {
        table.put("Shape", (Kernel.SingleOutput) Generators::shape);
        table.put("Size", (Kernel.SingleOutput)
                call -> NdArray.scalar(ElementType.INT64, call.input(0).size()));
        table.put("Range", (Kernel.SingleOutput) Generators::range);
        table.put("ConstantOfShape", (Kernel.SingleOutput) Generators::filled);
        table.put("EyeLike", (Kernel.SingleOutput) Generators::eye);
        table.put("Constant", (Kernel.SingleOutput) Generators::constant);
        window(table, "HannWindow", 0.5, 0.5, 0);
        window(table, "HammingWindow", 25.0 / 46, 21.0 / 46, 0);
        window(table, "BlackmanWindow", 0.42, 0.5, 0.08);
    }

    private static NdArray shape(Call call) {
        int[] dims = call.input(0).dims();
        int start = bound(call.integer("start", 0), dims.length);
        int end = bound(call.integer("end", dims.length), dims.length);
        long[] sizes = new long[Math.max(0, end - start)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = dims[start + i];
        }
        return NdArray.longs(sizes);
    }

    private static int bound(long at, int rank) {
        return Math.clamp(Axis.fromFront(at, rank), 0, rank);
    }

    private static NdArray range(Call call) {
        NdArray start = call.input(0);
        NdArray delta = call.input(2);
        double count = Math.ceil((call.real(1, 0) - call.real(0, 0)) / call.real(2, 1));
        if (Double.isNaN(count) || count > Integer.MAX_VALUE) {
            throw new EvaluationException("it would not end");
        }
        int[] dims = call.checkedDims((int) Math.max(0, count));
        return start.element().isFloat()
                ? call.reals(start.element(), dims, i -> start.real(0) + i * delta.real(0))
                : call.whole(start.element(), dims, i -> start.whole(0) + i * delta.whole(0));
    }

    private static NdArray filled(Call call) {
        int[] dims = call.checkedDims(Dims.of(call.input(0).whole()));
        return call.tensor("value")
                .orElseGet(() -> NdArray.scalar(ElementType.FLOAT, 0))
                .pick(dims, i -> 0);
    }

    private static NdArray eye(Call call) {
        NdArray x = call.input(0);
        ElementType element =
                ElementType.of((int) call.integer("dtype", x.element().number()));
        long k = call.integer("k", 0);
        int columns = x.dim(1);
        return Casts.cast(
                call, call.whole(ElementType.INT64, x.dims(), i -> i % columns - i / columns == k ? 1 : 0), element);
    }

    private static NdArray constant(Call call) {
        if (call.attributes().containsKey("value_float")) {
            return NdArray.scalar(ElementType.FLOAT, call.real("value_float", 0));
        }
        if (call.attributes().containsKey("value_int")) {
            return NdArray.whole(ElementType.INT64, new int[0], call.integer("value_int", 0));
        }
        if (call.attributes().containsKey("value_ints")) {
            return NdArray.longs(call.integers("value_ints").orElseThrow());
        }
        if (call.attributes().containsKey("value_floats")) {
            double[] values = call.reals("value_floats").stream()
                    .mapToDouble(value -> value)
                    .toArray();
            return NdArray.floats(new int[] {values.length}, values);
        }
        return call.tensor("value").orElseThrow(() -> new EvaluationException("no dense value"));
    }

    private static void window(Map<String, Kernel> table, String op, double a, double b, double c) {
        table.put(op, (Kernel.SingleOutput) call -> {
            int size = Math.toIntExact(call.whole(0, 0));
            double period = size - (call.integer("periodic", 1) == 1 ? 0 : 1);
            ElementType element = ElementType.of((int) call.integer("output_datatype", 1));
            return call.reals(element, new int[] {size}, i -> {
                double turn = 2 * Math.PI * i / period;
                return a - b * Math.cos(turn) + c * Math.cos(2 * turn);
            });
        });
    }
}
