package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.List;
import java.util.Map;

/** Closed-form derivative rules of activations, such as Softmax and Gelu, cheaper than those of their parts. */
final class Activations {
    private static final double TANH_FACTOR = Math.sqrt(2 / Math.PI);
    private static final double TANH_CUBE = 0.044715;

    private Activations() {}

    static void register(Map<String, Rule> table) {
        table.put("Softmax", Activations::softmax);
        table.put("LogSoftmax", Activations::logSoftmax);
        table.put("Hardmax", Rule.STOP);
        table.put("Gelu", Activations::gelu);
        table.put("Mish", Activations::mish);
        table.put("Swish", Activations::swish);
        table.put("Celu", Activations::celu);
        table.put("Shrink", Activations::shrink);
    }

    private static List<Long> axis(Op op) {
        return List.of(op.attributes().integer("axis", -1));
    }

    private static List<Value> softmax(RuleContext at, Op op, List<Value> dy) {
        Value weighted = at.mul(dy.getFirst(), op.output());
        Value sum = at.reduceSum(weighted, axis(op), true);
        return of(at.sub(weighted, at.mul(op.output(), sum)));
    }

    private static List<Value> logSoftmax(RuleContext at, Op op, List<Value> dy) {
        Value sum = at.reduceSum(dy.getFirst(), axis(op), true);
        return of(at.sub(dy.getFirst(), at.mul(at.exp(op.output()), sum)));
    }

    /** x · Φ(x), exactly or with Hendrycks' and Gimpel's approximation of Φ (2016). */
    private static List<Value> gelu(RuleContext at, Op op, List<Value> dy) {
        boolean tanh = op.attributes().text("approximate", "none").equals("tanh");
        Value x = op.input(0);
        return of(at.mul(dy.getFirst(), tanh ? tanhSlope(at, op) : erfSlope(at, x)));
    }

    private static Value erfSlope(RuleContext at, Value x) {
        Value erf = at.op("Erf", at.mul(x, Math.sqrt(0.5)));
        Value below = at.add(at.mul(erf, 0.5), 0.5);
        Value bell = at.exp(at.mul(at.square(x), -0.5));
        return at.add(below, at.mul(at.mul(x, 1 / Math.sqrt(2 * Math.PI)), bell));
    }

    /** With (1 + tanh u) / 2 = σ(2u) = s: the slope is s + y · (1 − s) · 2u′. */
    private static Value tanhSlope(RuleContext at, Op op) {
        Value x = op.input(0);
        Value square = at.square(x);
        Value inner = at.add(at.mul(square, 2 * TANH_FACTOR * TANH_CUBE), 2 * TANH_FACTOR);
        Value s = at.op("Sigmoid", at.mul(x, inner));
        Value rise = at.add(at.mul(square, 6 * TANH_FACTOR * TANH_CUBE), 2 * TANH_FACTOR);
        Value rest = at.mul(op.output(), at.sub(at.scalar(x, 1), s));
        return at.add(s, at.mul(rest, rise));
    }

    private static List<Value> mish(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value t = at.op("Tanh", at.op("Softplus", x));
        Value rise = at.mul(at.sub(at.scalar(x, 1), at.square(t)), at.op("Sigmoid", x));
        return of(at.mul(dy.getFirst(), at.add(t, at.mul(x, rise))));
    }

    private static List<Value> swish(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        double alpha = op.attributes().real("alpha", 1);
        Value s = at.op("Sigmoid", at.mul(x, alpha));
        Value rest = at.mul(op.output(), at.sub(at.scalar(x, 1), s));
        return of(at.mul(dy.getFirst(), at.add(s, at.mul(rest, alpha))));
    }

    private static List<Value> celu(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value negative = at.min(x, at.scalar(x, 0));
        Value slope = at.exp(at.div(negative, op.attributes().real("alpha", 1)));
        return of(at.mul(dy.getFirst(), slope));
    }

    private static List<Value> shrink(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value bound = at.scalar(x, op.attributes().real("lambd", 0.5));
        Value kept = at.indicator(at.greater(at.abs(x), bound), x);
        return of(at.mul(dy.getFirst(), kept));
    }
}
