package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.List;
import java.util.Map;

/** Conversions to and from integers with a scale, and arithmetic on them. */
final class Quantized {
    private Quantized() {}

    static void register(Map<String, ShapeRule> rules) {
        ShapeRule quantize =
                op -> {
                    ElementType stated = ElementType.of((int) op.node().integer("output_dtype", 0));
                    ElementType element =
                            op.has(2)
                                    ? op.element(2)
                                    : stated == ElementType.UNDEFINED ? ElementType.UINT8 : stated;
                    return List.of(TensorType.of(element, op.shape(0)));
                };
        rules.put("QuantizeLinear", quantize);
        rules.put("com.microsoft.QuantizeLinear", quantize);
        ShapeRule dequantize = op -> List.of(TensorType.of(op.element(1), op.shape(0)));
        rules.put("DequantizeLinear", dequantize);
        rules.put("com.microsoft.DequantizeLinear", dequantize);
        rules.put(
                "DynamicQuantizeLinear",
                op ->
                        List.of(
                                TensorType.of(ElementType.UINT8, op.shape(0)),
                                TensorType.of(ElementType.FLOAT, Shape.SCALAR),
                                TensorType.of(ElementType.UINT8, Shape.SCALAR)));
        ShapeRule arithmetic =
                op -> Layout.typed(op, Elementwise.broadcast(op.shape(0), op.shape(3)));
        rules.put("com.microsoft.QLinearAdd", arithmetic);
        rules.put("com.microsoft.QLinearMul", arithmetic);
    }
}
