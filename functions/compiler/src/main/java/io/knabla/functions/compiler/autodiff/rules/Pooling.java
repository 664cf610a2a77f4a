package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.Backward.of;

import io.knabla.functions.compiler.autodiff.reverse.Backward;
import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Pooling: a maximum passes its adjoint to the pixel that it took, a mean to all that it saw. */
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

    /** Where windows overlap, a pixel may be taken several times. */
    private static List<Value> max(Backward at, Op op, List<Value> dy) {
        if (dy.getFirst() == null) {
            return List.of();
        }
        Value x = op.input(0);
        return of(Positions.back(at, x, places(at, op), dy.getFirst()));
    }

    private static Value places(Backward at, Op op) {
        if (op.attributes().integer("storage_order", 0) == 0) {
            return op.output(1);
        }
        Attributes rows = op.attributes().without("storage_order");
        return at.builder().op(Op.Spec.of("MaxPool", rows, op.inputs()), 2).output(1);
    }

    private static List<Value> unpool(Backward at, Op op, List<Value> dy) {
        if (op.has(2)) {
            throw new UnsupportedOperatorException("its places count in another shape than its output_shape");
        }
        Value flat = at.op("Reshape", dy.getFirst(), at.ints(-1));
        return of(at.gather(flat, op.input(1), 0));
    }

    private static List<Value> average(Backward at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Window window = Window.of(op);
        boolean all = op.attributes().integer("count_include_pad", 0) == 1;
        Value counts = Coverage.counts(at, op, x, window, all);
        return of(Coverage.spread(at, x, at.div(dy.getFirst(), counts), window));
    }

    /** y = (Σ |x|ᵖ)^(1/p), so dy/dx = sign x · (|x| / y)^(p − 1). */
    private static List<Value> power(Backward at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value share = at.div(dy.getFirst(), powered(at, op, nonZero(at, op.output())));
        Value spread = Coverage.spread(at, x, share, Window.of(op));
        return of(at.mul(spread, signed(at, op, x)));
    }

    private static List<Value> globalPower(Backward at, Op op, List<Value> dy) {
        Value share = at.div(dy.getFirst(), powered(at, op, nonZero(at, op.output())));
        return of(at.mul(share, signed(at, op, op.input(0))));
    }

    /** To the power p − 1. */
    private static Value powered(Backward at, Op op, Value y) {
        long p = op.attributes().integer("p", 2);
        return p == 1 ? at.scalar(y, 1) : p == 2 ? y : at.pow(y, at.scalar(y, p - 1));
    }

    private static Value signed(Backward at, Op op, Value x) {
        return op.attributes().integer("p", 2) == 2 ? x : at.mul(at.sign(x), powered(at, op, at.abs(x)));
    }

    /** Where everything is zero there is no slope, and none is made up. */
    private static Value nonZero(Backward at, Value y) {
        return at.where(at.equal(y, at.scalar(y, 0)), at.scalar(y, 1), y);
    }

    private static List<Value> globalAverage(Backward at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value planes = at.div(at.count(x, x), at.count(op.output(), x));
        return of(at.expandLike(at.div(dy.getFirst(), planes), x));
    }

    /** Equal maxima share. */
    private static List<Value> globalMax(Backward at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value wins = at.indicator(at.equal(x, op.output()), x);
        var axes = new ArrayList<>(LongStream.range(2, x.rank()).boxed().toList());
        Value share = at.div(dy.getFirst(), at.reduceSum(wins, axes, true));
        return of(at.mul(wins, share));
    }
}
