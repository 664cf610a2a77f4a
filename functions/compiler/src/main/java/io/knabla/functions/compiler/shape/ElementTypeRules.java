package io.knabla.functions.compiler.shape;

import static io.knabla.functions.compiler.onnx.ElementType.BOOL;
import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT32;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;
import static io.knabla.functions.compiler.onnx.ElementType.UINT8;
import static io.knabla.functions.compiler.onnx.ElementType.UNDEFINED;

import ai.onnx.proto.OnnxMl.AttributeProto;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.ElementwiseOperators;
import io.knabla.functions.compiler.onnx.TensorProtos;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Infers the element types of an operator's outputs. They depend only on the inputs' element types and the attributes,
 * and are known even if no shape is.
 */
final class ElementTypeRules {
    /** Types in output order; the last one also applies to all further outputs. */
    @FunctionalInterface
    private interface Rule {
        List<ElementType> of(OpContext op);
    }

    private static final Map<String, Rule> RULES = rules();

    /** In earlier opsets the mask of Dropout has the type of the data. */
    private static final int DROPOUT_WITH_BOOLEAN_MASK = 10;

    /** From this opset on, running statistics may have another type than the data. */
    private static final int NORM_WITH_OWN_STATISTICS = 14;

    private ElementTypeRules() {}

    static ElementType of(OpContext op, int output) {
        return stated(op, output).orElseGet(() -> op.element(0));
    }

    /** The type by a rule of the operator's own; empty if there is none. */
    static Optional<ElementType> stated(OpContext op, int output) {
        return Optional.ofNullable(RULES.get(ShapeRules.bare(op.node().qualifiedOp())))
                .map(rule -> rule.of(op))
                .map(types -> types.get(Math.min(output, types.size() - 1)));
    }

    /** The type that a Cast names, by number or, in its first version, by name. */
    static ElementType cast(OpContext op) {
        AttributeProto to = op.node().attributes().get("to");
        if (to == null) {
            return UNDEFINED;
        }
        return to.hasS() ? named(to.getS().toStringUtf8()) : number(to.getI());
    }

    private static ElementType named(String name) {
        for (ElementType type : ElementType.values()) {
            if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
                return type;
            }
        }
        return UNDEFINED;
    }

    private static ElementType number(long number) {
        return number == (int) number ? ElementType.of((int) number) : UNDEFINED;
    }

    private static ElementType stated(OpContext op, String attribute, ElementType otherwise) {
        ElementType stated = number(op.node().integer(attribute, 0));
        return stated == UNDEFINED ? otherwise : stated;
    }

    private static Map<String, Rule> rules() {
        var rules = new HashMap<String, Rule>();
        each(rules, op -> List.of(INT64), "Shape", "Size", "ArgMax", "ArgMin", "NonZero");
        each(rules, op -> List.of(INT64), "SequenceLength", "NonMaxSuppression");
        ElementwiseOperators.COMPARISONS.forEach(type -> rules.put(type, op -> List.of(BOOL)));
        each(rules, op -> List.of(BOOL), "Not", "IsNaN", "IsInf", "OptionalHasElement");
        each(rules, op -> List.of(op.element(0), INT64), "TopK", "MaxPool", "Unique");
        each(rules, op -> List.of(cast(op)), "Cast", "BitCast");
        rules.put("CastLike", op -> List.of(op.element(1)));
        rules.put("Where", op -> List.of(op.element(1)));
        rules.put("OneHot", op -> List.of(op.element(2)));
        rules.put("Dropout", ElementTypeRules::dropout);
        rules.put("BatchNormalization", ElementTypeRules::batchNorm);
        each(
                rules,
                op -> List.of(op.element(0), stated(op, "stash_type", FLOAT)),
                "LayerNormalization",
                "SimplifiedLayerNormalization");
        rules.put("Attention", op -> List.of(op.element(0), key(op, 1), key(op, 2), op.element(0)));
        quantized(rules);
        made(rules);
        return Map.copyOf(rules);
    }

    private static ElementType key(OpContext op, int input) {
        return op.has(input + 3) ? op.element(input + 3) : op.element(input);
    }

    private static List<ElementType> dropout(OpContext op) {
        boolean bool = op.opset() >= DROPOUT_WITH_BOOLEAN_MASK;
        return List.of(op.element(0), bool ? BOOL : op.element(0));
    }

    private static List<ElementType> batchNorm(OpContext op) {
        boolean own = op.opset() >= NORM_WITH_OWN_STATISTICS;
        return List.of(op.element(0), own ? op.element(3) : op.element(0));
    }

    private static void quantized(Map<String, Rule> rules) {
        each(rules, op -> List.of(INT32), "ConvInteger", "MatMulInteger");
        each(rules, op -> List.of(op.element(7)), "QLinearConv", "QLinearMatMul");
        each(rules, ElementTypeRules::quantize, "QuantizeLinear", "com.microsoft.QuantizeLinear");
        each(
                rules,
                op -> List.of(stated(op, "output_dtype", op.element(1))),
                "DequantizeLinear",
                "com.microsoft.DequantizeLinear");
        rules.put("DynamicQuantizeLinear", op -> List.of(UINT8, FLOAT, UINT8));
        rules.put("com.microsoft.MatMulIntegerToFloat", op -> List.of(FLOAT));
        each(
                rules,
                op -> List.of(op.element(0), FLOAT, FLOAT, op.element(0)),
                "com.microsoft.SkipLayerNormalization",
                "com.microsoft.SkipSimplifiedLayerNormalization");
        rules.put("com.microsoft.EmbedLayerNormalization", op -> List.of(op.element(2), INT32));
    }

    private static List<ElementType> quantize(OpContext op) {
        return List.of(op.has(2) ? op.element(2) : stated(op, "output_dtype", UINT8));
    }

    /** Operators whose node declares the output type. */
    private static void made(Map<String, Rule> rules) {
        each(
                rules,
                op -> List.of(stated(op, "dtype", op.element(0))),
                "Bernoulli",
                "EyeLike",
                "RandomNormalLike",
                "RandomUniformLike");
        each(rules, op -> List.of(stated(op, "dtype", FLOAT)), "RandomNormal", "RandomUniform");
        rules.put("Multinomial", op -> List.of(stated(op, "dtype", INT32)));
        each(
                rules,
                op -> List.of(stated(op, "output_datatype", FLOAT)),
                "HannWindow",
                "HammingWindow",
                "BlackmanWindow",
                "MelWeightMatrix");
        rules.put("Constant", op -> List.of(constant(op)));
        rules.put(
                "ConstantOfShape",
                op -> List.of(
                        op.node().tensor("value").map(TensorProtos::element).orElse(FLOAT)));
        rules.put("SequenceEmpty", op -> List.of(stated(op, "dtype", FLOAT)));
        each(rules, op -> List.of(FLOAT), "TfIdfVectorizer", "Scaler", "Normalizer");
        each(rules, op -> List.of(ElementType.STRING), "StringNormalizer", "StringConcat", "com.microsoft.Tokenizer");
        rules.put("ImageDecoder", op -> List.of(UINT8));
        Classifiers.NAMES.forEach(name -> rules.put(name, Classifiers::elements));
    }

    private static ElementType constant(OpContext op) {
        for (String attribute : op.node().attributes().keySet()) {
            switch (attribute) {
                case "value_float", "value_floats" -> {
                    return FLOAT;
                }
                case "value_int", "value_ints" -> {
                    return INT64;
                }
                case "value_string", "value_strings" -> {
                    return ElementType.STRING;
                }
                default -> {
                    // The type lies in a tensor.
                }
            }
        }
        return op.node().tensor("value").map(TensorProtos::element).orElse(UNDEFINED);
    }

    private static void each(Map<String, Rule> rules, Rule rule, String... ops) {
        for (String op : ops) {
            rules.put(op, rule);
        }
    }
}
