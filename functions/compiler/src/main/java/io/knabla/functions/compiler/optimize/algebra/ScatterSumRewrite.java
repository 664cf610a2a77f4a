package io.knabla.functions.compiler.optimize.algebra;

import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;

/**
 * Rewrites {@code s − e · Σs}, where s is a few numbers scattered into zeros, to sum the numbers before the scatter. It
 * then scatters them into {@code −e · Σ}. The adjoint of a log-softmax under a loss over labels has this form.
 */
final class ScatterSumRewrite {
    private ScatterSumRewrite() {}

    static Optional<List<Value>> rewrite(Ops code, Op op) {
        if (!op.is("Sub")) {
            return Optional.empty();
        }
        Optional<Op> scatter = op.input(0).producer("ScatterElements").filter(ScatterSumRewrite::sparse);
        Optional<Op> product = op.input(1).producer("Mul");
        if (scatter.isEmpty() || product.isEmpty()) {
            return Optional.empty();
        }
        for (int i = 0; i < 2; i++) {
            Value e = product.get().input(i);
            Value sum = product.get().input(1 - i);
            if (sums(sum, scatter.get()) && StaticShapes.same(e, op.output())) {
                return Optional.of(List.of(rewritten(code, scatter.get(), sum, e)));
            }
        }
        return Optional.empty();
    }

    private static Value rewritten(Ops code, Op scatter, Value sum, Value e) {
        Value numbers = scatter.input(2);
        Op reduction = sum.producer().orElseThrow();
        Value total = code.op("ReduceSum", reduction.attributes(), numbers, reduction.input(1));
        Value rest = code.mul(e, code.neg(total));
        return code.op("ScatterElements", scatter.attributes(), rest, scatter.input(1), numbers);
    }

    /** Whether numbers are added into zeros, and their shape matches the result except along the axis. */
    private static boolean sparse(Op scatter) {
        if (!scatter.attributes().text("reduction", "none").equals("add") || !zero(scatter.input(0))) {
            return false;
        }
        List<Long> to = scatter.output().sizes().orElse(List.of());
        List<Long> from = scatter.input(2).sizes().orElse(List.of());
        int axis = axis(scatter, to.size());
        if (to.isEmpty() || from.size() != to.size()) {
            return false;
        }
        for (int i = 0; i < to.size(); i++) {
            if (i != axis && !to.get(i).equals(from.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean zero(Value value) {
        return value.producer("Expand")
                .flatMap(op -> op.input(0).scalarConstant())
                .or(value::scalarConstant)
                .filter(n -> n == 0)
                .isPresent();
    }

    /** Whether it is the sum of the scattered tensor along the axis, which it keeps with size 1. */
    private static boolean sums(Value value, Op scatter) {
        int rank = scatter.output().sizes().orElse(List.of()).size();
        return value.producer("ReduceSum")
                .filter(op -> op.input(0) == scatter.output() && op.has(1))
                .filter(op -> op.attributes().integer("keepdims", 1) == 1)
                .flatMap(op -> op.input(1).knownIntegers())
                .filter(axes -> axes.size() == 1 && Math.floorMod(axes.getFirst(), rank) == axis(scatter, rank))
                .isPresent();
    }

    private static int axis(Op scatter, int rank) {
        return rank == 0 ? 0 : Math.floorMod(scatter.attributes().integer("axis", 0), rank);
    }
}
