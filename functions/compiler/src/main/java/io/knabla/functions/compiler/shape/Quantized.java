package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;
import java.util.Map;

/** Shape rules of quantization, dequantization and arithmetic on quantized integers. */
final class Quantized {
    private Quantized() {}

    static void register(Map<String, ShapeRule> rules) {
        Elementwise.each(
                rules,
                Elementwise::same,
                "QuantizeLinear",
                "com.microsoft.QuantizeLinear",
                "DequantizeLinear",
                "com.microsoft.DequantizeLinear");
        rules.put("DynamicQuantizeLinear", op -> List.of(op.shape(0), Shape.SCALAR, Shape.SCALAR));
        Elementwise.each(
                rules,
                op -> List.of(Elementwise.broadcast(op.shape(0), op.shape(3))),
                "com.microsoft.QLinearAdd",
                "com.microsoft.QLinearMul");
    }
}
