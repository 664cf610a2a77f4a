package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementwiseOperators;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shape rules of elementwise operators, with NumPy broadcasting of several inputs. */
final class Elementwise {
    private Elementwise() {}

    static void register(Map<String, ShapeRule> rules) {
        each(rules, Elementwise::same, ElementwiseOperators.MATH);
        each(rules, Elementwise::same, UNARY);
        each(rules, Elementwise::same, LIKE);
        each(rules, Elementwise::broadcast, ElementwiseOperators.ARITHMETIC);
        each(rules, Elementwise::broadcast, ElementwiseOperators.COMPARISONS);
        rules.put("Where", Elementwise::broadcast);
        rules.put("Dropout", op -> List.of(op.shape(0), op.shape(0)));
        each(rules, Elementwise::same, MICROSOFT_UNARY);
    }

    /** Operators whose result has the first input's shape, but not always its element type. */
    static final String[] LIKE = {
        "Bernoulli",
        "BitCast",
        "Cast",
        "CastLike",
        "EyeLike",
        "IsInf",
        "IsNaN",
        "Not",
        "RandomNormalLike",
        "RandomUniformLike",
        "Optional",
        "OptionalGetElement"
    };

    /** Operators whose result has the first input's shape and element type. */
    private static final String[] UNARY = {
        "Identity", "Trilu", "ReverseSequence", "Scaler", "Normalizer", "Binarizer", "Imputer"
    };

    static final String[] MICROSOFT_UNARY = {
        "com.microsoft.Gelu",
        "com.microsoft.FastGelu",
        "com.microsoft.BiasGelu",
        "com.microsoft.QuickGelu",
        "com.microsoft.QLinearLeakyRelu",
        "com.microsoft.QLinearSigmoid",
        "com.microsoft.QLinearSoftmax"
    };

    static void each(Map<String, ShapeRule> rules, ShapeRule rule, String... ops) {
        each(rules, rule, List.of(ops));
    }

    static void each(Map<String, ShapeRule> rules, ShapeRule rule, List<String> ops) {
        ops.forEach(op -> rules.put(op, rule));
    }

    static List<Shape> same(OpContext op) {
        return List.of(op.shape(0));
    }

    private static List<Shape> broadcast(OpContext op) {
        if (op.node().has("broadcast")) {
            // Before opset 7 only the second operand was broadcast.
            return same(op);
        }
        Shape shape = op.shape(0);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            shape = broadcast(shape, op.shape(i));
        }
        return List.of(shape);
    }

    static Shape broadcast(Shape a, Shape b) {
        int rank = Math.max(a.rank(), b.rank());
        var dims = new ArrayList<Dim>(rank);
        for (int i = rank; i > 0; i--) {
            Dim left = i > a.rank() ? Dim.ONE : a.dim(-i);
            Dim right = i > b.rank() ? Dim.ONE : b.dim(-i);
            dims.add(broadcast(left, right));
        }
        return new Shape(dims);
    }

    private static Dim broadcast(Dim a, Dim b) {
        if (a.is(1) || a.equals(b)) {
            return b;
        }
        if (b.is(1)) {
            return a;
        }
        // A known size other than 1 is the result; the other operand must fit it.
        if (a.known() || b.known()) {
            return a.known() ? a : b;
        }
        return a.exceeds(Dim.ONE) ? a : b.exceeds(Dim.ONE) ? b : Dim.UNKNOWN;
    }
}
