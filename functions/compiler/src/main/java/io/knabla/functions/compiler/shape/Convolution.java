package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shape rules of operators with a sliding window: convolutions and pooling. */
final class Convolution {
    private Convolution() {}

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(rules, op -> convolved(op, 1), "Conv", "com.microsoft.FusedConv", "ConvInteger", "DeformConv");
        rules.put("QLinearConv", op -> convolved(op, 3));
        rules.put("ConvTranspose", TransposedWindows::convolved);
        rules.put("MaxUnpool", TransposedWindows::unpooled);
        rules.put("Col2Im", TransposedWindows::columns);
        Elementwise.each(
                rules, Convolution::pooled, "MaxPool", "AveragePool", "LpPool", "com.microsoft.QLinearAveragePool");
        Elementwise.each(
                rules,
                Convolution::global,
                "GlobalAveragePool",
                "GlobalMaxPool",
                "GlobalLpPool",
                "com.microsoft.QLinearGlobalAveragePool");
    }

    private static List<Shape> convolved(OpContext op, int weight) {
        Shape w = op.shape(weight);
        Shape out = op.shape(0).with(1, w.dim(0));
        return List.of(windows(op, out, kernel(op, w)));
    }

    private static List<Shape> pooled(OpContext op) {
        List<Dim> kernel = op.node()
                .integers("kernel_shape")
                .map(list -> Shape.of(list).dims())
                .orElseThrow(() -> ShapeUnknownException.INSTANCE);
        Shape out = windows(op, op.shape(0), kernel);
        return List.of(out, out);
    }

    private static List<Shape> global(OpContext op) {
        Shape in = op.shape(0);
        var dims = new ArrayList<>(in.dims().subList(0, 2));
        for (int i = 2; i < in.rank(); i++) {
            dims.add(Dim.ONE);
        }
        return List.of(new Shape(dims));
    }

    static List<Dim> kernel(OpContext op, Shape weight) {
        return op.node()
                .integers("kernel_shape")
                .map(list -> Shape.of(list).dims())
                .orElseGet(() -> weight.dims().subList(2, weight.rank()));
    }

    private static Shape windows(OpContext op, Shape in, List<Dim> kernel) {
        WindowAttributes windows = WindowAttributes.of(op.node());
        Shape out = in;
        for (int i = 0; i < kernel.size(); i++) {
            Dim count = windows.count(in.dim(i + 2), kernel.get(i), i, kernel.size());
            out = out.with(i + 2, count.or(0) < 0 ? Dim.ZERO : count);
        }
        return out;
    }
}
