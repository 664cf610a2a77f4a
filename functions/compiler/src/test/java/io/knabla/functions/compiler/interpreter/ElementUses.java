package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.onnx.ElementType;
import java.util.Map;
import java.util.function.Consumer;

/** Random samples for elementwise operators. */
final class ElementUses {
    private ElementUses() {}

    static void put(Map<String, Consumer<Sample>> uses) {
        unary(uses);
        tests(uses);
        shaped(uses);
        binary(uses);
        integers(uses);
        casts(uses);
    }

    private static void each(Map<String, Consumer<Sample>> uses, Consumer<Sample> use, String... ops) {
        for (String op : ops) {
            uses.put(op, use);
        }
    }

    private static void unary(Map<String, Consumer<Sample>> uses) {
        each(uses, s -> s.normal(s.dims(0, 3)).exact(), "Abs", "Neg", "Sign", "Relu", "Ceil", "Floor");
        each(uses, s -> s.uniform(-3, 3, s.dims(0, 3)), "Exp", "Sin", "Cos", "Tanh", "Sinh", "Cosh");
        each(uses, s -> s.uniform(-1.4, 1.4, s.dims(0, 3)), "Tan", "Atan", "Asinh", "Softsign");
        each(uses, s -> s.uniform(-0.99, 0.99, s.dims(0, 3)), "Asin", "Acos", "Atanh");
        each(uses, s -> s.uniform(1.01, 9, s.dims(0, 3)), "Acosh");
        each(uses, s -> s.uniform(0.01, 9, s.dims(0, 3)), "Log", "Sqrt", "Reciprocal");
        each(uses, s -> s.uniform(-6, 6, s.dims(0, 3)), "Erf", "Sigmoid", "Softplus", "HardSwish", "Mish");
        uses.put(
                "Round",
                s -> s.filled(ElementType.FLOAT, s.dims(0, 3), () -> s.between(-9, 9) / 2.0)
                        .exact());
        uses.put(
                "Gelu",
                s -> s.with("approximate", s.one("none", "tanh"))
                        .uniform(-5, 5, s.dims(0, 3))
                        .within(1e-5));
        uses.put(
                "Swish",
                s -> s.with("alpha", s.one(1.0, 0.5))
                        .uniform(-5, 5, s.dims(0, 3))
                        .opset(24));
    }

    private static void tests(Map<String, Consumer<Sample>> uses) {
        uses.put("IsNaN", s -> s.filled(ElementType.FLOAT, s.dims(0, 3), () -> s.one(1.0, Double.NaN)));
        uses.put(
                "IsInf",
                s -> s.with("detect_negative", s.between(0, 1))
                        .with("detect_positive", s.between(0, 1))
                        .filled(
                                ElementType.FLOAT,
                                s.dims(0, 3),
                                () -> s.one(1.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)));
    }

    private static void shaped(Map<String, Consumer<Sample>> uses) {
        each(
                uses,
                s -> s.with("alpha", s.one(0.1, 0.5, 1.7)).normal(s.dims(0, 3)),
                "LeakyRelu",
                "Elu",
                "Celu",
                "ThresholdedRelu");
        each(uses, s -> s.normal(s.dims(0, 3)), "Selu", "HardSigmoid", "LeakyRelu default");
        uses.put(
                "Shrink",
                s -> s.with("lambd", 0.4).with("bias", s.one(0.0, 0.3)).normal(s.dims(0, 3)));
        uses.put("Clip", s -> bound(bound(s.normal(s.dims(0, 3)), -0.5), 0.7).exact());
        uses.put(
                "Clip integers",
                s -> s.integers(ElementType.INT64, -9, 9, s.dims(0, 3))
                        .scalar(ElementType.INT64, -4)
                        .none());
    }

    private static Sample bound(Sample s, double value) {
        return s.random.nextBoolean() ? s.none() : s.scalar(ElementType.FLOAT, value);
    }

    private static Sample pair(Sample s, ElementType element, int low, int high) {
        int[] dims = s.dims(0, 4);
        int[] other = s.partner(dims);
        return s.random.nextBoolean()
                ? s.integers(element, low, high, dims).integers(element, low, high, other)
                : s.integers(element, low, high, other).integers(element, low, high, dims);
    }

    private static Sample reals(Sample s) {
        int[] dims = s.dims(0, 4);
        return s.normal(dims).normal(s.partner(dims));
    }

    private static void binary(Map<String, Consumer<Sample>> uses) {
        each(
                uses,
                s -> reals(s).exact(),
                "Add",
                "Sub",
                "Mul",
                "Div",
                "Less",
                "Greater",
                "LessOrEqual",
                "GreaterOrEqual");
        each(uses, s -> reals(s).normal(s.partner(s.inputs.getFirst().dims())), "Sum", "Max", "Min", "Mean");
        uses.put("PRelu", s -> {
            int[] dims = s.dims(1, 4);
            s.normal(dims).normal(s.partner(dims)).exact();
        });
        uses.put("Mod", s -> pair(s, ElementType.INT64, 1, 9).exact());
        uses.put("Mod negative", s -> {
            int[] d = s.dims(1, 2);
            s.integers(ElementType.INT64, -9, 9, d).integers(ElementType.INT64, -7, -1, d);
        });
        uses.put("Mod fmod", s -> reals(s).with("fmod", 1L));
        uses.put("Pow", s -> {
            int[] d = s.dims(0, 3);
            s.uniform(0.1, 3, d).uniform(-2, 2, s.partner(d));
        });
        uses.put("Pow mixed", s -> {
            int[] d = s.dims(0, 3);
            s.normal(d).integers(ElementType.INT64, 0, 4, s.partner(d));
        });
        uses.put("Where", s -> {
            int[] d = s.dims(0, 4);
            s.booleans(s.partner(d)).normal(d).normal(s.partner(d)).exact();
        });
        uses.put("Where integers", s -> {
            int[] d = s.dims(0, 4);
            s.booleans(d)
                    .integers(ElementType.INT64, 0, 9, s.partner(d))
                    .integers(ElementType.INT64, 0, 9, s.partner(d));
        });
    }

    private static void integers(Map<String, Consumer<Sample>> uses) {
        each(
                uses,
                s -> pair(s, s.one(ElementType.INT32, ElementType.INT64), -9, 9),
                "Equal",
                "Add whole",
                "Mul whole",
                "Max whole",
                "Less whole",
                "BitwiseAnd",
                "BitwiseOr",
                "BitwiseXor");
        each(uses, s -> pair(s, s.one(ElementType.INT32, ElementType.INT64), -9, -1), "Div whole");
        each(uses, s -> pair(s, ElementType.BOOL, 0, 1), "And", "Or", "Xor", "Equal booleans");
        each(uses, s -> s.integers(ElementType.INT64, -9, 9, s.dims(0, 3)), "Abs whole", "Neg whole", "Sign whole");
        uses.put("Not", s -> s.booleans(s.dims(0, 3)));
        uses.put("BitwiseNot", s -> s.integers(s.one(ElementType.UINT8, ElementType.INT32), 0, 99, s.dims(0, 3)));
        uses.put("BitShift", s -> pair(s, ElementType.UINT8, 0, 7).with("direction", s.one("LEFT", "RIGHT")));
        uses.put("Pow whole", s -> {
            int[] d = s.dims(0, 3);
            s.integers(ElementType.INT64, -4, 4, d).integers(ElementType.INT64, 0, 5, s.partner(d));
        });
    }

    private static void casts(Map<String, Consumer<Sample>> uses) {
        uses.put(
                "Cast",
                s -> s.with("to", (long) target(s).number())
                        .filled(
                                s.one(ElementType.FLOAT, ElementType.DOUBLE),
                                s.dims(0, 3),
                                () -> s.random.nextGaussian() * 50)
                        .exact());
        uses.put(
                "Cast integers",
                s -> s.with("to", (long) s.one(target(s), ElementType.UINT8, ElementType.INT8)
                                .number())
                        .integers(
                                s.one(ElementType.INT32, ElementType.INT64, ElementType.BOOL), -300, 300, s.dims(0, 3))
                        .exact());
        uses.put("CastLike", s -> s.normal(s.dims(0, 3)).scalar(target(s), 0).exact());
        uses.put("Identity", s -> s.normal(s.dims(0, 3)).exact());
        uses.put("Dropout", s -> s.normal(s.dims(1, 3)).outputs(2).exact());
    }

    private static ElementType target(Sample s) {
        return s.one(
                ElementType.FLOAT,
                ElementType.DOUBLE,
                ElementType.FLOAT16,
                ElementType.INT32,
                ElementType.INT64,
                ElementType.BOOL);
    }
}
