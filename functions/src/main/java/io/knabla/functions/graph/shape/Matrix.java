package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Matrix products in all their spellings. */
final class Matrix {
    private Matrix() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("MatMul", op -> product(op, 0, 1, op.element(0)));
        rules.put("MatMulInteger", op -> product(op, 0, 1, ElementType.INT32));
        rules.put("QLinearMatMul", op -> product(op, 0, 3, op.element(7)));
        rules.put("com.microsoft.FusedMatMul", Matrix::fused);
        rules.put("com.microsoft.MatMulIntegerToFloat", op -> product(op, 0, 1, ElementType.FLOAT));
        rules.put("com.microsoft.DynamicQuantizeMatMul", op -> product(op, 0, 1, op.element(0)));
        rules.put("com.microsoft.MatMulNBits", Matrix::bits);
        rules.put("Gemm", Matrix::gemm);
        rules.put("com.microsoft.FusedGemm", Matrix::gemm);
        rules.put("com.microsoft.QGemm", Matrix::gemm);
        rules.put("Einsum", Matrix::einsum);
        rules.put("Det", op -> Layout.typed(op, op.shape(0).slice(0, op.shape(0).rank() - 2)));
    }

    private static List<TensorType> product(OpContext op, int left, int right, ElementType type) {
        return List.of(TensorType.of(type, product(op.shape(left), op.shape(right))));
    }

    static Shape product(Shape a, Shape b) {
        Shape left = a.rank() == 1 ? new Shape(List.of(Dim.ONE)).append(a) : a;
        Shape right = b.rank() == 1 ? b.append(new Shape(List.of(Dim.ONE))) : b;
        Shape batch =
                Elementwise.broadcast(
                        left.slice(0, left.rank() - 2), right.slice(0, right.rank() - 2));
        var dims = new ArrayList<>(batch.dims());
        if (a.rank() > 1) {
            dims.add(left.dim(-2));
        }
        if (b.rank() > 1) {
            dims.add(right.dim(-1));
        }
        return new Shape(dims);
    }

    private static List<TensorType> fused(OpContext op) {
        return Layout.typed(
                op,
                product(
                        turned(op.shape(0), op.node().integer("transA", 0)),
                        turned(op.shape(1), op.node().integer("transB", 0))));
    }

    private static Shape turned(Shape shape, long transposed) {
        return transposed == 0 ? shape : shape.with(-1, shape.dim(-2)).with(-2, shape.dim(-1));
    }

    private static List<TensorType> bits(OpContext op) {
        return Layout.typed(op, op.shape(0).with(-1, Dim.of(op.node().integer("N", -1))));
    }

    private static List<TensorType> gemm(OpContext op) {
        int b = op.node().op().equals("QGemm") ? 3 : 1;
        Dim rows = op.shape(0).dim(op.node().integer("transA", 0) == 0 ? 0 : 1);
        Dim columns = op.shape(b).dim(op.node().integer("transB", 0) == 0 ? 1 : 0);
        return Layout.typed(op, new Shape(List.of(rows, columns)));
    }

    private static List<TensorType> einsum(OpContext op) {
        EinsumLabels labels = EinsumLabels.of(op);
        var dims = new ArrayList<Dim>();
        for (char label : labels.output().toCharArray()) {
            dims.add(labels.sizes().getOrDefault(label, Dim.UNKNOWN));
        }
        return Layout.typed(op, new Shape(dims));
    }
}
