package io.knabla.functions.compiler.analyze;

import static io.knabla.functions.compiler.analyze.CostRule.computing;
import static io.knabla.functions.compiler.analyze.SaturatingMath.elements;
import static io.knabla.functions.compiler.analyze.SaturatingMath.product;
import static io.knabla.functions.compiler.analyze.SaturatingMath.times;

import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import io.knabla.functions.compiler.shape.EinsumLabels;
import io.knabla.functions.compiler.shape.OpContext;
import java.util.List;
import java.util.Map;

/** Cost rules of matrix products, convolutions and pooling, which are nearly all of a model's work. */
final class ProductCosts {
    private ProductCosts() {}

    static void register(Map<String, CostRule> rules) {
        ElementCosts.each(
                rules,
                computing((op, out) ->
                        times(2, elements(out.getFirst()), op.shape(0).dim(-1).or(1))),
                "MatMul",
                "MatMulInteger",
                "QLinearMatMul",
                "com.microsoft.MatMulIntegerToFloat",
                "com.microsoft.DynamicQuantizeMatMul",
                "com.microsoft.MatMulNBits");
        ElementCosts.each(
                rules,
                computing(ProductCosts::transposable),
                "Gemm",
                "com.microsoft.FusedGemm",
                "com.microsoft.QGemm",
                "com.microsoft.FusedMatMul");
        rules.put("Einsum", computing(ProductCosts::einsum));
        rules.put("Conv", computing((op, out) -> convolution(op, out, 1)));
        rules.put("ConvInteger", rules.get("Conv"));
        rules.put("com.microsoft.FusedConv", rules.get("Conv"));
        rules.put("QLinearConv", computing((op, out) -> convolution(op, out, 3)));
        rules.put("ConvTranspose", computing(ProductCosts::transposed));
        ElementCosts.each(
                rules,
                computing(ProductCosts::pooling),
                "MaxPool",
                "AveragePool",
                "LpPool",
                "com.microsoft.QLinearAveragePool");
    }

    /** 2·M·N·K; the bias belongs to the multiply-adds. */
    private static long transposable(OpContext op, List<TensorType> outputs) {
        boolean turned = op.node().integer("transA", 0) == 1;
        long inner = op.shape(0).dim(turned ? -2 : -1).or(1);
        return times(2, elements(outputs.getFirst()), inner);
    }

    private static long einsum(OpContext op, List<TensorType> outputs) {
        long operands = op.node().inputs().size();
        return times(
                operands > 1 ? 2 * (operands - 1) : 1,
                EinsumLabels.of(op).points().or(0));
    }

    /** Each output is a sum over its group's input channels and the kernel. */
    private static long convolution(OpContext op, List<TensorType> outputs, int weight) {
        Shape w = op.shape(weight);
        return times(2, elements(outputs.getFirst()), product(w.dims().subList(1, w.rank())));
    }

    /** Each input is spread over its group's output channels and the kernel. */
    private static long transposed(OpContext op, List<TensorType> outputs) {
        Shape w = op.shape(1);
        return times(2, elements(op.shape(0)), product(w.dims().subList(1, w.rank())));
    }

    private static long pooling(OpContext op, List<TensorType> outputs) {
        long kernel = 1;
        for (long size : op.node().integers("kernel_shape").orElse(List.of())) {
            kernel = times(kernel, size);
        }
        return times(elements(outputs.getFirst()), kernel);
    }
}
