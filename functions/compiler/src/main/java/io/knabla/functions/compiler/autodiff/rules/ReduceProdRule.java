package io.knabla.functions.compiler.autodiff.rules;

import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Optional;

/**
 * Derivative rule of ReduceProd: the adjoint of each factor is the product of the others, even if some of them are
 * zero.
 */
final class ReduceProdRule {
    private ReduceProdRule() {}

    static Value adjoint(RuleContext at, Op op, Value y, Value dy) {
        Value x = op.input(0);
        Optional<List<Long>> axes = Reductions.axes(op);
        boolean sized = axes.isPresent()
                && axes.get().stream().allMatch(axis -> x.dim(axis.intValue()).known());
        return sized ? others(at, x, axes.get(), dy) : counted(at, op, dy);
    }

    /** Works axis by axis with products only, which keeps derivatives of any order correct at zeros. */
    private static Value others(RuleContext at, Value x, List<Long> axes, Value dy) {
        Value product = x;
        Value adjoint = dy;
        for (long axis : axes) {
            adjoint = at.mul(adjoint, others(at, product, axis));
            product = at.reduce("ReduceProd", product, List.of(axis), true);
        }
        return at.expandLike(adjoint, x);
    }

    private static Value others(RuleContext at, Value x, long axis) {
        long size = x.dim((int) axis).or(1);
        return at.mul(running(at, x, axis, size, 1), running(at, x, axis, size, -1));
    }

    /**
     * For each element the product of all before it (or after it): products of 1, 2, 4, … neighbours (Hillis and
     * Steele, Data parallel algorithms, 1986).
     */
    private static Value running(RuleContext at, Value x, long axis, long size, int direction) {
        Value products = shifted(at, x, axis, direction);
        for (long step = 1; step < size && step > 0; step *= 2) {
            products = at.mul(products, shifted(at, products, axis, direction * step));
        }
        return products;
    }

    /** Shifts along an axis and fills with ones. */
    private static Value shifted(RuleContext at, Value x, long axis, long by) {
        return ScatterHelpers.padded(at, x, x, at.ints(by, -by), List.of(axis), at.scalar(x, 1));
    }

    /** For any number of factors; second derivatives are those of the product without its zeros. */
    private static Value counted(RuleContext at, Op op, Value dy) {
        Value x = op.input(0);
        Value zero = at.scalar(x, 0);
        Value one = at.scalar(x, 1);
        Value nothing = at.equal(x, zero);
        Value product = Reductions.same(at, op, "ReduceProd", at.where(nothing, one, x));
        Value zeros = Reductions.same(at, op, "ReduceSum", at.indicator(nothing, x));
        return Scatters.others(at, dy, product, zeros, x);
    }
}
