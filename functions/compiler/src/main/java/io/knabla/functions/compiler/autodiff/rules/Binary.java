package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Derivative rules of elementwise operators with several inputs; sums adjoints over broadcast axes. */
final class Binary {
    private Binary() {}

    static void register(Map<String, Rule> table) {
        table.put("Add", (at, op, dy) -> broadcast(at, op, dy.getFirst(), dy.getFirst()));
        table.put("Sub", (at, op, dy) -> broadcast(at, op, dy.getFirst(), at.neg(dy.getFirst())));
        table.put("Mul", Binary::mul);
        table.put("Div", Binary::div);
        table.put("Pow", Binary::pow);
        table.put("Mod", Binary::mod);
        table.put("Sum", Binary::sum);
        table.put("Mean", Binary::mean);
        table.put("Max", Binary::extreme);
        table.put("Min", Binary::extreme);
        table.put("Where", Binary::where);
        table.put("Clip", Binary::clip);
        table.put("PRelu", Binary::prelu);
    }

    private static List<Value> broadcast(RuleContext at, Op op, Value... partial) {
        var adjoints = new ArrayList<Value>();
        for (int i = 0; i < partial.length; i++) {
            adjoints.add(partial[i] == null || !op.has(i) ? null : at.unbroadcast(partial[i], op.input(i)));
        }
        return adjoints;
    }

    private static List<Value> mul(RuleContext at, Op op, List<Value> dy) {
        return broadcast(at, op, at.mul(dy.getFirst(), op.input(1)), at.mul(dy.getFirst(), op.input(0)));
    }

    private static List<Value> div(RuleContext at, Op op, List<Value> dy) {
        Optional<Value> angle = DerivativesAtZero.ofAngle(dy.getFirst(), op.output());
        if (angle.isPresent()) {
            Value g = DerivativesAtZero.overSquares(at, angle.get(), op.input(0), op.input(1));
            return broadcast(at, op, at.mul(g, op.input(1)), at.neg(at.mul(g, op.input(0))));
        }
        Value quotient = at.div(dy.getFirst(), op.input(1));
        return broadcast(at, op, quotient, at.neg(at.mul(quotient, op.output())));
    }

    /**
     * The logarithm is guarded: where the base is not positive the exponent has no derivative, and 0 · ∞ must not
     * appear.
     */
    private static List<Value> pow(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value p = at.castLike(op.input(1), x);
        Value dx = at.mul(dy.getFirst(), powerSlope(at, op, x, p));
        if (!at.needsAdjoint(op, 1)) {
            return broadcast(at, op, dx);
        }
        Value positive = at.greater(x, at.scalar(x, 0));
        Value log = at.log(at.where(positive, x, at.scalar(x, 1)));
        Value dp = at.mul(dy.getFirst(), at.mul(at.castLike(op.output(), x), log));
        return broadcast(at, op, dx, at.castLike(dp, op.input(1)));
    }

    private static Value powerSlope(RuleContext at, Op op, Value x, Value p) {
        boolean square = op.input(1).scalarConstant().filter(n -> n == 2).isPresent();
        if (square) {
            return at.mul(x, 2);
        }
        Value base = DerivativesAtZero.base(at, x, op.input(1).scalarConstant());
        Value slope = at.mul(p, at.pow(base, at.sub(p, at.scalar(p, 1))));
        // 0 to the power -1 is infinite, yet a constant factor of 0 makes x to the power 0 flat.
        return at.where(at.equal(p, at.scalar(p, 0)), at.scalar(x, 0), slope);
    }

    /** x − y · trunc or floor (x / y): 1, and minus the whole quotient. */
    private static List<Value> mod(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value y = op.input(1);
        Value whole = at.op("Round", at.div(at.sub(x, op.output()), y));
        return broadcast(at, op, dy.getFirst(), at.neg(at.mul(dy.getFirst(), whole)));
    }

    private static List<Value> sum(RuleContext at, Op op, List<Value> dy) {
        Value[] same = new Value[op.inputs().size()];
        Arrays.fill(same, dy.getFirst());
        return broadcast(at, op, same);
    }

    private static List<Value> mean(RuleContext at, Op op, List<Value> dy) {
        return sum(at, op, of(at.div(dy.getFirst(), op.inputs().size())));
    }

    /** Operands that tie share the adjoint equally, as PyTorch's amax and JAX do. */
    private static List<Value> extreme(RuleContext at, Op op, List<Value> dy) {
        Value y = op.output();
        var wins = new ArrayList<Value>();
        op.inputs().forEach(x -> wins.add(at.indicator(at.equal(x, y), y)));
        Value share = wins.size() == 1 ? dy.getFirst() : at.div(dy.getFirst(), at.sum(wins));
        return broadcast(at, op, wins.stream().map(win -> at.mul(share, win)).toArray(Value[]::new));
    }

    private static List<Value> where(RuleContext at, Op op, List<Value> dy) {
        Value zero = at.scalar(dy.getFirst(), 0);
        Value condition = op.input(0);
        return broadcast(
                at, op, null, at.where(condition, dy.getFirst(), zero), at.where(condition, zero, dy.getFirst()));
    }

    /**
     * A value on a bound counts as outside, as in PyTorch, whose exporter writes relu6, hardtanh and clamp like this.
     */
    private static List<Value> clip(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value g = dy.getFirst();
        Value below = op.has(1) ? at.lessOrEqual(x, op.input(1)) : null;
        Value above = op.has(2) ? at.greaterOrEqual(x, op.input(2)) : null;
        Value outside = below == null ? above : above == null ? below : at.or(below, above);
        Value zero = at.scalar(g, 0);
        Value dx = outside == null ? g : at.where(outside, zero, g);
        Value low = below == null ? null : at.where(below, g, zero);
        Value high = above == null ? null : at.where(above, g, zero);
        return broadcast(at, op, dx, low, high);
    }

    private static List<Value> prelu(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value g = dy.getFirst();
        Value negative = at.lessOrEqual(x, at.scalar(x, 0));
        Value dx = at.where(negative, at.mul(g, op.input(1)), g);
        return broadcast(at, op, dx, at.where(negative, at.mul(g, x), at.scalar(g, 0)));
    }
}
