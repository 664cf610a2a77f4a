package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Closed-form derivative rules of layer, instance and batch normalisation; also the rule of Dropout. With x̂ = (x −
 * mean) / deviation and g = dy · scale, dx = (g − mean g − x̂ · mean (g · x̂)) / deviation (Ba, Kiros and Hinton, 2016;
 * Ioffe and Szegedy, 2015).
 */
final class Normalizations {
    private static final double EPSILON = 1e-5;

    private Normalizations() {}

    static void register(Map<String, Rule> table) {
        table.put("LayerNormalization", Normalizations::layer);
        table.put("InstanceNormalization", Normalizations::instance);
        table.put("BatchNormalization", Normalizations::batch);
        table.put("Dropout", Normalizations::dropout);
    }

    /**
     * A value normalised along axes.
     *
     * @param inverse reciprocal of the deviation; of size 1 along the axes, like the mean
     */
    record NormalizedValue(RuleContext at, Value x, Value mean, Value inverse, List<Long> axes) {

        static NormalizedValue of(RuleContext at, Value x, List<Long> axes, double epsilon) {
            Value mean = at.reduceMean(x, axes, true);
            Value variance = at.reduceMean(at.square(at.sub(x, mean)), axes, true);
            return new NormalizedValue(at, x, mean, at.reciprocal(at.sqrt(at.add(variance, epsilon))), axes);
        }

        Value normal() {
            return at.mul(at.sub(x, mean), inverse);
        }

        /** Adjoint of x, from the adjoint of the normalised value. */
        Value adjoint(Value g) {
            Value along = at.reduceMean(at.mul(g, normal()), axes, true);
            Value centred = at.sub(g, at.reduceMean(g, axes, true));
            return at.mul(at.sub(centred, at.mul(normal(), along)), inverse);
        }

        Value backFromMean(Value g) {
            return at.expandLike(at.div(g, size()), x);
        }

        /** d inverse / dx = −inverse² · x̂ / n. */
        Value adjointFromInverse(Value g) {
            Value slope = at.div(at.mul(g, at.square(inverse)), size());
            return at.neg(at.mul(slope, normal()));
        }

        Value backFromVariance(Value g) {
            return at.mul(at.div(at.mul(g, 2), size()), at.sub(x, mean));
        }

        /** Number of elements that a mean is over. */
        private Value size() {
            return at.div(at.count(x, x), at.count(mean, x));
        }
    }

    private static List<Value> layer(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        long axis = op.attributes().integer("axis", -1);
        List<Long> axes = LongStream.range(Axis.fromFront(axis, x.rank()), x.rank())
                .boxed()
                .toList();
        NormalizedValue normal = statistics(at, op, axes);
        var dx = new ArrayList<Value>();
        Value g = dy.getFirst();
        if (g != null) {
            dx.add(normal.adjoint(at.mul(g, op.input(1))));
        }
        if (dy.get(1) != null) {
            dx.add(normal.backFromMean(at.castLike(dy.get(1), x)));
        }
        if (dy.get(2) != null) {
            dx.add(normal.adjointFromInverse(at.castLike(dy.get(2), x)));
        }
        if (g == null) {
            return of(at.sum(dx));
        }
        return of(
                at.sum(dx),
                at.unbroadcast(at.mul(g, normal.normal()), op.input(1)),
                op.has(2) ? at.unbroadcast(g, op.input(2)) : null);
    }

    /** Takes the statistics from the kernel in single precision, all that it supports; else computes them. */
    private static NormalizedValue statistics(RuleContext at, Op op, List<Long> axes) {
        Value x = op.input(0);
        double epsilon = op.attributes().real("epsilon", EPSILON);
        return x.element() == ElementType.FLOAT
                ? new NormalizedValue(at, x, op.output(1), op.output(2), axes)
                : NormalizedValue.of(at, x, axes, epsilon);
    }

    private static List<Value> instance(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        List<Long> axes = LongStream.range(2, x.rank()).boxed().toList();
        NormalizedValue normal = NormalizedValue.of(at, x, axes, op.attributes().real("epsilon", EPSILON));
        Value g = dy.getFirst();
        Value scale = channels(at, op.input(1), x);
        return of(normal.adjoint(at.mul(g, scale)), overChannels(at, at.mul(g, normal.normal())), overChannels(at, g));
    }

    private static List<Value> batch(RuleContext at, Op op, List<Value> dy) {
        return op.attributes().integer("training_mode", 0) == 1 ? trained(at, op, dy) : inferred(at, op, dy);
    }

    /** Inference form: mean and variance are given, and every channel is a linear function. */
    private static List<Value> inferred(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value g = dy.getFirst();
        Value scale = op.input(1);
        double epsilon = op.attributes().real("epsilon", EPSILON);
        Value inverse = at.reciprocal(at.sqrt(at.add(op.input(4), epsilon)));
        Value slope = at.mul(at.castLike(scale, inverse), inverse);
        Value centred = at.sub(x, channels(at, at.castLike(op.input(3), x), x));
        Value sum = overChannels(at, g);
        Value along = at.castLike(overChannels(at, at.mul(g, centred)), inverse);
        Value dscale = at.mul(along, inverse);
        Value dvariance = at.mul(at.mul(dscale, slope), at.mul(inverse, -0.5));
        return of(
                at.mul(g, channels(at, at.castLike(slope, x), x)),
                at.castLike(dscale, scale),
                at.castLike(sum, op.input(2)),
                at.neg(at.mul(at.castLike(sum, inverse), slope)),
                dvariance);
    }

    /** Training form. Outputs: normalised by the batch, running mean, running variance. */
    private static List<Value> trained(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        double momentum = op.attributes().real("momentum", 0.9);
        NormalizedValue normal =
                NormalizedValue.of(at, x, allButChannels(x), op.attributes().real("epsilon", EPSILON));
        var dx = new ArrayList<Value>();
        Value g = dy.getFirst();
        if (g != null) {
            dx.add(normal.adjoint(at.mul(g, channels(at, at.castLike(op.input(1), x), x))));
        }
        Value mean = running(dy, 1);
        if (mean != null) {
            Value now = at.mul(at.castLike(mean, x), 1 - momentum);
            dx.add(normal.backFromMean(channels(at, now, x)));
        }
        Value variance = running(dy, 2);
        if (variance != null) {
            Value now = at.mul(at.castLike(variance, x), 1 - momentum);
            dx.add(normal.backFromVariance(channels(at, now, x)));
        }
        return of(
                at.sum(dx),
                g == null ? null : at.castLike(overChannels(at, at.mul(g, normal.normal())), op.input(1)),
                g == null ? null : at.castLike(overChannels(at, g), op.input(2)),
                mean == null ? null : at.mul(mean, momentum),
                variance == null ? null : at.mul(variance, momentum));
    }

    private static Value running(List<Value> dy, int output) {
        return output < dy.size() ? dy.get(output) : null;
    }

    private static List<Long> allButChannels(Value x) {
        var axes = new ArrayList<>(List.of(0L));
        LongStream.range(2, x.rank()).forEach(axes::add);
        return axes;
    }

    private static Value overChannels(RuleContext at, Value a) {
        return at.reduceSum(a, allButChannels(a), false);
    }

    /** Reshapes one number per channel to broadcast against {@code x}. */
    private static Value channels(RuleContext at, Value vector, Value x) {
        return at.unsqueeze(
                vector, LongStream.rangeClosed(1, x.rank() - 2).boxed().toList());
    }

    /** The mask says which elements were kept; those were divided by the probability of being kept. */
    private static List<Value> dropout(RuleContext at, Op op, List<Value> dy) {
        Value g = dy.getFirst();
        if (g == null) {
            return List.of();
        }
        boolean never = !op.has(2) || op.input(2).constant().isPresent() && falsehood(op.input(2));
        if (never) {
            return of(g);
        }
        Value ratio = op.has(1) ? at.castLike(op.input(1), g) : at.scalar(g, 0.5);
        Value factor = at.reciprocal(at.sub(at.scalar(g, 1), ratio));
        Value scale = at.where(op.input(2), factor, at.scalar(g, 1));
        return of(at.mul(at.mul(g, at.indicator(op.output(1), g)), scale));
    }

    private static boolean falsehood(Value training) {
        var tensor = training.constant().orElseThrow();
        return tensor.getInt32DataCount() == 1
                ? tensor.getInt32Data(0) == 0
                : tensor.getRawData().size() == 1 && tensor.getRawData().byteAt(0) == 0;
    }
}
