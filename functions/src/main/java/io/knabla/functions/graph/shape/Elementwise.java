package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Dim;
import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.Shape;
import io.knabla.functions.graph.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operators that work element by element, with NumPy's broadcasting where there are several inputs. */
final class Elementwise {
    private Elementwise() {}

    static void register(Map<String, ShapeRule> rules) {
        each(rules, Elementwise::same, UNARY);
        each(rules, op -> broadcast(op, op.element(0)), BINARY);
        each(rules, op -> broadcast(op, ElementType.BOOL), COMPARING);
        each(rules, op -> List.of(of(op, ElementType.BOOL)), "Not", "IsNaN", "IsInf");
        rules.put("Where", op -> broadcast(op, op.element(1)));
        rules.put("Cast", op -> List.of(of(op, ElementType.of((int) op.node().integer("to", 0)))));
        each(
                rules,
                Elementwise::stated,
                "Bernoulli",
                "EyeLike",
                "RandomNormalLike",
                "RandomUniformLike");
        rules.put("CastLike", op -> List.of(of(op, op.element(1))));
        rules.put("BitCast", rules.get("Cast"));
        rules.put("Dropout", op -> List.of(op.input(0).type(), of(op, ElementType.BOOL)));
        each(rules, Elementwise::same, MICROSOFT_UNARY);
    }

    static final String[] UNARY = {
        "Abs",
        "Acos",
        "Acosh",
        "Asin",
        "Asinh",
        "Atan",
        "Atanh",
        "BitwiseNot",
        "Ceil",
        "Celu",
        "Clip",
        "Cos",
        "Cosh",
        "Elu",
        "Erf",
        "Exp",
        "Floor",
        "Gelu",
        "HardSigmoid",
        "HardSwish",
        "LeakyRelu",
        "Log",
        "Mish",
        "Neg",
        "PRelu",
        "Reciprocal",
        "Relu",
        "Round",
        "Selu",
        "Shrink",
        "Sigmoid",
        "Sign",
        "Sin",
        "Sinh",
        "Softplus",
        "Softsign",
        "Sqrt",
        "Swish",
        "Tan",
        "Tanh",
        "ThresholdedRelu",
        "Identity",
        "Trilu",
        "CumSum",
        "CumProd",
        "ReverseSequence",
        "Scaler",
        "Normalizer",
        "Binarizer",
        "Imputer"
    };

    static final String[] BINARY = {
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Pow",
        "Mod",
        "Min",
        "Max",
        "Sum",
        "Mean",
        "BitShift",
        "BitwiseAnd",
        "BitwiseOr",
        "BitwiseXor"
    };

    static final String[] COMPARING = {
        "And", "Or", "Xor", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"
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
        for (String op : ops) {
            rules.put(op, rule);
        }
    }

    static List<TensorType> same(OpContext op) {
        return List.of(op.input(0).type());
    }

    private static TensorType of(OpContext op, ElementType element) {
        return new TensorType(element, op.input(0).type().shape());
    }

    /** The input's shape, and its element type too unless the node says another. */
    private static List<TensorType> stated(OpContext op) {
        ElementType stated = ElementType.of((int) op.node().integer("dtype", 0));
        return List.of(of(op, stated == ElementType.UNDEFINED ? op.element(0) : stated));
    }

    private static List<TensorType> broadcast(OpContext op, ElementType element) {
        Shape shape = op.shape(0);
        for (int i = 1; i < op.node().inputs().size(); i++) {
            shape = broadcast(shape, op.shape(i));
        }
        return List.of(new TensorType(element, Optional.of(shape)));
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
        // A size that is known and not 1 wins over one that must fit it.
        return a.known() ? a : b.known() ? b : Dim.UNKNOWN;
    }
}
