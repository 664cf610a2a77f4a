package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Derivative rules of the Reduce operators, whose axes may be known at run time only. */
final class Reductions {
    private Reductions() {}

    /** dx from dy and y, both with a 1 where an axis was reduced. */
    @FunctionalInterface
    private interface LocalDerivative {
        Value of(RuleContext at, Op op, Value y, Value dy);
    }

    static void register(Map<String, Rule> table) {
        rule(table, "ReduceSum", (at, op, _, dy) -> at.expandLike(dy, op.input(0)));
        rule(table, "ReduceMean", (at, op, _, dy) -> at.expandLike(at.div(dy, count(at, op)), op.input(0)));
        rule(table, "ReduceSumSquare", (at, op, _, dy) -> at.mul(op.input(0), at.mul(dy, 2)));
        rule(table, "ReduceL1", (at, op, _, dy) -> at.mul(at.sign(op.input(0)), dy));
        rule(table, "ReduceL2", Reductions::l2);
        rule(table, "ReduceLogSum", Reductions::logSum);
        rule(table, "ReduceLogSumExp", Reductions::logSumExp);
        rule(table, "ReduceMax", Reductions::extreme);
        rule(table, "ReduceMin", Reductions::extreme);
        rule(table, "ReduceProd", ReduceProdRule::adjoint);
    }

    private static void rule(Map<String, Rule> table, String operator, LocalDerivative local) {
        table.put(
                operator,
                (at, op, dy) -> none(op)
                        ? of(dy.getFirst())
                        : of(local.of(at, op, kept(at, op, op.output()), kept(at, op, dy.getFirst()))));
    }

    /** Whether it certainly reduces no axis. */
    private static boolean none(Op op) {
        boolean empty =
                !op.has(1) || op.input(1).knownIntegers().filter(List::isEmpty).isPresent();
        return empty && op.attributes().integer("noop_with_empty_axes", 0) == 1;
    }

    /** Whether it reduces all axes because it names none. */
    private static boolean all(Op op) {
        return !op.has(1);
    }

    /** The reduced axes, counted from the front, if known. */
    static Optional<List<Long>> axes(Op op) {
        Optional<Shape> shape = op.input(0).shape();
        if (shape.isEmpty()) {
            return Optional.empty();
        }
        int rank = shape.get().rank();
        List<Long> every = LongStream.range(0, rank).boxed().toList();
        if (all(op)) {
            return Optional.of(every);
        }
        return op.input(1)
                .knownIntegers()
                .map(given -> given.isEmpty()
                        ? every
                        : given.stream()
                                .map(a -> Axis.fromFront(a, rank))
                                .sorted()
                                .toList());
    }

    /** Restores removed axes with size 1. */
    private static Value kept(RuleContext at, Op op, Value reduced) {
        if (op.attributes().integer("keepdims", 1) == 1 || all(op)) {
            return reduced;
        }
        Optional<List<Long>> axes = axes(op);
        return axes.map(list -> at.unsqueeze(reduced, list)).orElseGet(() -> at.op("Unsqueeze", reduced, op.input(1)));
    }

    /** Applies another reduction along the same axes, which stay with size 1. */
    static Value same(RuleContext at, Op op, String operator, Value x) {
        Attributes keep = op.attributes().with("keepdims", 1);
        return at.op(operator, keep, x, op.input(1));
    }

    /** Number of elements per result; any number if there is no result. */
    private static Value count(RuleContext at, Op op) {
        Value x = op.input(0);
        Optional<Long> known =
                axes(op).map(axes -> product(x, axes)).filter(Dim::known).map(size -> size.or(1));
        return known.map(n -> at.scalar(x, n)).orElseGet(() -> {
            // Integers must not be divided by the 0 results of an empty batch.
            Value results = at.max(at.op("Size", op.output()), at.integer(1));
            return at.castLike(at.op("Div", at.op("Size", x), results), x);
        });
    }

    private static Dim product(Value x, List<Long> axes) {
        Dim product = Dim.ONE;
        for (long axis : axes) {
            product = product.times(x.dim((int) axis));
        }
        return product;
    }

    /** At the origin, where the norm has a kink, the adjoint is 0. */
    private static Value l2(RuleContext at, Op op, Value y, Value dy) {
        Value zero = at.equal(y, at.scalar(y, 0));
        Value norm = at.where(zero, at.scalar(y, 1), y);
        return at.mul(op.input(0), at.div(dy, norm));
    }

    private static Value logSum(RuleContext at, Op op, Value y, Value dy) {
        Value x = op.input(0);
        return at.expandLike(at.div(dy, same(at, op, "ReduceSum", x)), x);
    }

    /** If all elements are −∞, the share of each is 0, not the difference of infinities. */
    private static Value logSumExp(RuleContext at, Op op, Value y, Value dy) {
        Value empty = at.equal(y, at.scalar(y, Double.NEGATIVE_INFINITY));
        Value level = at.where(empty, at.scalar(y, 0), y);
        return at.mul(at.exp(at.sub(op.input(0), level)), dy);
    }

    /** Elements that tie share the adjoint equally, as PyTorch's amax and JAX do. */
    private static Value extreme(RuleContext at, Op op, Value y, Value dy) {
        Value wins = at.indicator(at.equal(op.input(0), y), y);
        return at.mul(wins, at.div(dy, same(at, op, "ReduceSum", wins)));
    }
}
