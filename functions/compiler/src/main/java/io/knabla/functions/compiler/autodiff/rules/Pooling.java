package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Derivative rules of pooling and MaxUnpool: a maximum passes its adjoint to the pixel that it selected, a mean to all
 * pixels of its window.
 */
final class Pooling {
    private Pooling() {}

    static void register(Map<String, Rule> table) {
        table.put("MaxPool", Pooling::max);
        table.put("MaxUnpool", Pooling::unpool);
        table.put("AveragePool", Pooling::average);
        table.put("LpPool", Pooling::power);
        table.put("GlobalAveragePool", Pooling::globalAverage);
        table.put("GlobalMaxPool", Pooling::globalMax);
        table.put("GlobalLpPool", Pooling::globalPower);
    }

    /** Where windows overlap, a pixel may be selected several times. */
    private static List<Value> max(RuleContext at, Op op, List<Value> dy) {
        if (dy.getFirst() == null) {
            return List.of();
        }
        Value x = op.input(0);
        return of(ScatterHelpers.scatterByIndex(at, x, places(at, op), dy.getFirst()));
    }

    private static Value places(RuleContext at, Op op) {
        if (op.attributes().integer("storage_order", 0) == 0) {
            return op.output(1);
        }
        Attributes rows = op.attributes().without("storage_order");
        return at.builder().op(Op.Spec.of("MaxPool", rows, op.inputs()), 2).output(1);
    }

    private static List<Value> unpool(RuleContext at, Op op, List<Value> dy) {
        if (op.has(2)) {
            throw new UnsupportedOperatorException("its places count in another shape than its output_shape");
        }
        Value flat = at.op("Reshape", dy.getFirst(), at.ints(-1));
        return of(at.gather(flat, op.input(1), 0));
    }

    private static List<Value> average(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Window window = Window.of(op);
        boolean all = op.attributes().integer("count_include_pad", 0) == 1;
        Value counts = WindowCoverage.counts(at, op, x, window, all);
        return of(WindowCoverage.addToPixels(at, x, at.div(dy.getFirst(), counts), window));
    }

    /** y = (Σ |x|ᵖ)^(1/p), so dy/dx = sign x · (|x| / y)^(p − 1). */
    private static List<Value> power(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value share = at.div(dy.getFirst(), powered(at, op, nonZero(at, op.output())));
        Value spread = WindowCoverage.addToPixels(at, x, share, Window.of(op));
        return of(at.mul(spread, signed(at, op, x)));
    }

    private static List<Value> globalPower(RuleContext at, Op op, List<Value> dy) {
        Value share = at.div(dy.getFirst(), powered(at, op, nonZero(at, op.output())));
        return of(at.mul(share, signed(at, op, op.input(0))));
    }

    /** To the power p − 1. */
    private static Value powered(RuleContext at, Op op, Value y) {
        long p = op.attributes().integer("p", 2);
        return p == 1 ? at.scalar(y, 1) : p == 2 ? y : at.pow(y, at.scalar(y, p - 1));
    }

    private static Value signed(RuleContext at, Op op, Value x) {
        return op.attributes().integer("p", 2) == 2 ? x : at.mul(at.sign(x), powered(at, op, at.abs(x)));
    }

    /** Replaces 0 by 1: where all pixels are zero the adjoint is 0, not NaN. */
    private static Value nonZero(RuleContext at, Value y) {
        return at.where(at.equal(y, at.scalar(y, 0)), at.scalar(y, 1), y);
    }

    private static List<Value> globalAverage(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value planes = at.div(at.count(x, x), at.count(op.output(), x));
        return of(at.expandLike(at.div(dy.getFirst(), planes), x));
    }

    /** Equal maxima share the adjoint. */
    private static List<Value> globalMax(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value wins = at.indicator(at.equal(x, op.output()), x);
        var axes = new ArrayList<>(LongStream.range(2, x.rank()).boxed().toList());
        Value share = at.div(dy.getFirst(), at.reduceSum(wins, axes, true));
        return of(at.mul(wins, share));
    }
}
