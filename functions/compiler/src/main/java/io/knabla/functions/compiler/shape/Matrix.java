package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shape rules of matrix products, Einsum and Det. */
final class Matrix {
    private Matrix() {}

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(
                rules,
                op -> List.of(product(op.shape(0), op.shape(1))),
                "MatMul",
                "MatMulInteger",
                "com.microsoft.MatMulIntegerToFloat",
                "com.microsoft.DynamicQuantizeMatMul");
        rules.put("QLinearMatMul", op -> List.of(product(op.shape(0), op.shape(3))));
        rules.put("com.microsoft.FusedMatMul", Matrix::fused);
        rules.put("com.microsoft.MatMulNBits", Matrix::bits);
        Elementwise.each(rules, Matrix::gemm, "Gemm", "com.microsoft.FusedGemm", "com.microsoft.QGemm");
        rules.put("Einsum", Matrix::einsum);
        rules.put("Det", op -> List.of(op.shape(0).slice(0, op.rank(0) - 2)));
    }

    static Shape product(Shape a, Shape b) {
        Shape left = a.rank() == 1 ? new Shape(List.of(Dim.ONE)).append(a) : a;
        Shape right = b.rank() == 1 ? b.append(new Shape(List.of(Dim.ONE))) : b;
        Shape batch = Elementwise.broadcast(left.slice(0, left.rank() - 2), right.slice(0, right.rank() - 2));
        var dims = new ArrayList<>(batch.dims());
        if (a.rank() > 1) {
            dims.add(left.dim(-2));
        }
        if (b.rank() > 1) {
            dims.add(right.dim(-1));
        }
        return new Shape(dims);
    }

    private static List<Shape> fused(OpContext op) {
        return List.of(product(operand(op, 0, "A"), operand(op, 1, "B")));
    }

    private static Shape operand(OpContext op, int input, String name) {
        Shape shape = op.shape(input);
        if (shape.rank() < 2) {
            return shape;
        }
        if (op.node().integer("transBatch" + name, 0) == 1) {
            // The file has the rows of the matrix as its first axis.
            shape = shape.slice(1, shape.rank() - 1)
                    .append(shape.slice(0, 1))
                    .append(shape.slice(shape.rank() - 1, shape.rank()));
        }
        return op.node().integer("trans" + name, 0) == 0
                ? shape
                : shape.with(-1, shape.dim(-2)).with(-2, shape.dim(-1));
    }

    private static List<Shape> bits(OpContext op) {
        return List.of(op.shape(0).with(-1, Dim.of(op.node().integer("N", -1))));
    }

    private static List<Shape> gemm(OpContext op) {
        int b = op.node().op().equals("QGemm") ? 3 : 1;
        Dim rows = op.shape(0).dim(op.node().integer("transA", 0) == 0 ? 0 : 1);
        Dim columns = op.shape(b).dim(op.node().integer("transB", 0) == 0 ? 1 : 0);
        return List.of(new Shape(List.of(rows, columns)));
    }

    private static List<Shape> einsum(OpContext op) {
        EinsumLabels labels = EinsumLabels.of(op);
        var dims = new ArrayList<Dim>();
        for (char label : labels.output().toCharArray()) {
            dims.add(labels.sizes().getOrDefault(label, Dim.UNKNOWN));
        }
        return List.of(new Shape(dims));
    }
}
