package io.knabla.runtime.answers;

import static io.knabla.functions.compiler.onnx.ElementType.BOOL;
import static io.knabla.functions.compiler.onnx.ElementType.DOUBLE;
import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static io.knabla.functions.compiler.onnx.ElementType.INT32;
import static io.knabla.functions.compiler.onnx.ElementType.INT64;

import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.runtime.answers.Draft.Var;
import java.util.List;

/** Adds single operators on numbers; each does nothing where no value fits. */
final class RandomOperators {
    private static final List<Step> ROWS = List.of(
            RandomOperators::unary,
            RandomOperators::identity,
            RandomOperators::binary,
            RandomOperators::comparison,
            RandomOperators::logic,
            RandomOperators::where,
            RandomOperators::cast,
            RandomOperators::concat,
            RandomOperators::slice,
            RandomOperators::gather,
            RandomOperators::sumOfColumns);

    private static final List<Step> WHOLE = List.of(
            RandomOperators::sumOfRows, RandomOperators::transpose, RandomOperators::shape, RandomOperators::size);

    private interface Step {
        void add(Draft draft);
    }

    private RandomOperators() {}

    static void add(Draft draft) {
        draft.one(draft.byRows || draft.below(4) > 0 ? ROWS : WHOLE).add(draft);
    }

    private static boolean isNumber(Var value) {
        return value.is(FLOAT, DOUBLE, INT64, INT32);
    }

    private static Var table(Draft draft) {
        return draft.find(value -> value.isTable() && !value.is(ElementType.STRING));
    }

    private static void unary(Draft draft) {
        Var x = draft.find(RandomOperators::isNumber);
        if (x != null) {
            String op = draft.one(
                    x.type().isFloat() ? List.of("Neg", "Abs", "Relu", "Tanh", "Sigmoid") : List.of("Neg", "Abs"));
            draft.node(op, List.of(x), x.type(), x.shape());
        }
    }

    private static void identity(Draft draft) {
        Var x = draft.one(draft.values);
        if (!x.is(ElementType.STRING)) {
            draft.node("Identity", List.of(x), x.type(), x.shape());
        }
    }

    /** A table and another one of its size, a row or a single number. */
    private static Var partner(Draft draft, Var x) {
        return draft.find(y -> y.type() == x.type()
                && (y.shape().equals(x.shape())
                        || y.shape().isEmpty()
                        || y.shape().equals(List.of(x.columns()))));
    }

    private static void binary(Draft draft) {
        Var x = draft.find(value -> value.isTable() && isNumber(value));
        if (x != null) {
            Var y = partner(draft, x);
            List<Var> operands = draft.below(2) == 0 ? List.of(x, y) : List.of(y, x);
            draft.node(draft.one(List.of("Add", "Sub", "Mul", "Max", "Min")), operands, x.type(), x.shape());
        }
    }

    private static void comparison(Draft draft) {
        Var x = draft.find(value -> value.isTable() && isNumber(value));
        if (x != null) {
            draft.node(draft.one(List.of("Less", "Greater", "Equal")), List.of(x, partner(draft, x)), BOOL, x.shape());
        }
    }

    private static void logic(Draft draft) {
        Var x = draft.find(value -> value.isTable() && value.is(BOOL));
        if (x == null) {
            return;
        }
        if (draft.below(2) == 0) {
            draft.node("Not", List.of(x), BOOL, x.shape());
        } else {
            draft.node(draft.one(List.of("And", "Or", "Xor")), List.of(x, partner(draft, x)), BOOL, x.shape());
        }
    }

    private static void where(Draft draft) {
        Var condition = draft.find(value -> value.isTable() && value.is(BOOL));
        Var x = condition == null
                ? null
                : draft.find(value -> isNumber(value) && value.shape().equals(condition.shape()));
        if (x != null) {
            draft.node("Where", List.of(condition, x, partner(draft, x)), x.type(), x.shape());
        }
    }

    private static void cast(Draft draft) {
        Var x = draft.find(value -> !value.is(ElementType.STRING));
        if (x != null) {
            ElementType to = draft.one(Draft.NUMBERS);
            draft.node("Cast", List.of(x), to, x.shape(), Onnx.integer("to", to.number()));
        }
    }

    private static void concat(Draft draft) {
        Var x = table(draft);
        if (x != null) {
            Var y = draft.find(value -> value.isTable() && value.type() == x.type());
            draft.node(
                    "Concat",
                    List.of(x, y, x),
                    x.type(),
                    List.of(-1, 2 * x.columns() + y.columns()),
                    Onnx.integer("axis", draft.below(2) == 0 ? 1 : -1));
        }
    }

    private static void slice(Draft draft) {
        Var x = table(draft);
        if (x != null) {
            int from = draft.below(x.columns() + 1);
            int to = from + draft.below(x.columns() - from + 1);
            Var starts = draft.constant(NdArray.longs(from));
            Var ends = draft.constant(NdArray.longs(to));
            Var axes = draft.constant(NdArray.longs(1));
            draft.node("Slice", List.of(x, starts, ends, axes), x.type(), List.of(-1, to - from));
        }
    }

    private static void gather(Draft draft) {
        Var x = table(draft);
        if (x != null && x.columns() > 0) {
            Var indices = draft.constant(NdArray.longs(draft.below(x.columns()), draft.below(x.columns())));
            draft.node("Gather", List.of(x, indices), x.type(), List.of(-1, 2), Onnx.integer("axis", 1));
        }
    }

    private static void sum(Draft draft, int axis) {
        Var x = draft.find(value -> value.isTable() && isNumber(value));
        if (x != null) {
            Var axes = draft.constant(NdArray.longs(axis));
            List<Integer> shape = axis == 0 ? List.of(1, x.columns()) : List.of(-1, 1);
            draft.node("ReduceSum", List.of(x, axes), x.type(), shape, Onnx.integer("keepdims", 1));
        }
    }

    private static void sumOfColumns(Draft draft) {
        sum(draft, 1);
    }

    private static void sumOfRows(Draft draft) {
        sum(draft, 0);
    }

    private static void transpose(Draft draft) {
        Var x = table(draft);
        if (x != null) {
            draft.node("Transpose", List.of(x), x.type(), List.of(x.columns(), -1));
        }
    }

    private static void shape(Draft draft) {
        Var x = draft.one(draft.values);
        if (!x.is(ElementType.STRING)) {
            draft.node("Shape", List.of(x), INT64, List.of(x.shape().size()));
        }
    }

    private static void size(Draft draft) {
        Var x = draft.one(draft.values);
        if (!x.is(ElementType.STRING)) {
            draft.node("Size", List.of(x), INT64, List.of());
        }
    }
}
