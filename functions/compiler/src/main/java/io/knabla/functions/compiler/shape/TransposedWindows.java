package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Dim.Known;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;
import java.util.Optional;

/** Shape rules of operators whose window slides over the output: ConvTranspose, MaxUnpool and Col2Im. */
final class TransposedWindows {
    private TransposedWindows() {}

    static List<Shape> convolved(OpContext op) {
        Shape in = op.shape(0);
        Shape w = op.shape(1);
        List<Dim> kernel = Convolution.kernel(op, w);
        Shape out = in.with(1, w.dim(1).times(Dim.of(op.node().integer("group", 1))));
        Optional<List<Long>> fixed = op.node().integers("output_shape");
        Optional<List<Long>> extra = op.node().integers("output_padding");
        WindowAttributes windows = WindowAttributes.of(op.node());
        for (int i = 0; i < kernel.size(); i++) {
            Dim size = windows.same()
                    ? in.dim(i + 2).times(new Known(windows.stride(i)))
                    : covered(windows, in.dim(i + 2), kernel, i).plus(new Known(WindowAttributes.at(extra, i, 0)));
            if (fixed.isPresent()) {
                int skip = fixed.get().size() - kernel.size();
                size = new Known(fixed.get().get(i + skip));
            }
            out = out.with(i + 2, size.or(0) < 0 ? Dim.ZERO : size);
        }
        return List.of(out);
    }

    /** Extent that the windows cover, one window for each element along the axis. */
    private static Dim covered(WindowAttributes windows, Dim count, List<Dim> kernel, int axis) {
        return count.minus(Dim.ONE)
                .times(new Known(windows.stride(axis)))
                .plus(windows.span(kernel.get(axis), axis))
                .minus(windows.padding(axis, kernel.size()));
    }

    static List<Shape> unpooled(OpContext op) {
        if (op.has(2)) {
            return List.of(new Shape(op.integersOrUnknown(2)));
        }
        Shape out = op.shape(0);
        List<Dim> kernel =
                Shape.of(op.node().integers("kernel_shape").orElseThrow()).dims();
        WindowAttributes windows = WindowAttributes.of(op.node());
        for (int i = 0; i < kernel.size(); i++) {
            out = out.with(i + 2, covered(windows, out.dim(i + 2), kernel, i));
        }
        return List.of(out);
    }

    /** Combines {@code [N, C·block, blocks]} into {@code [N, C, image]}. */
    static List<Shape> columns(OpContext op) {
        Shape in = op.shape(0);
        Shape image = new Shape(op.integersOrUnknown(1));
        Dim block = new Shape(op.integersOrUnknown(2)).elements();
        return List.of(new Shape(List.of(in.dim(0), in.dim(1).dividedBy(block))).append(image));
    }
}
