package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.autodiff.rules.ConvWeightGradient.ConvTask;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Derivative rules of Conv and ConvTranspose; each is the other's adjoint with respect to the image. */
final class Convolutions {
    private Convolutions() {}

    static void register(Map<String, Rule> table) {
        table.put("Conv", Convolutions::conv);
        table.put("ConvTranspose", Convolutions::transposed);
    }

    private static List<Value> conv(RuleContext at, Op op, List<Value> given) {
        Value x = op.input(0);
        Value w = op.input(1);
        Value dy = given.getFirst();
        Window window = Window.of(op, w);
        long groups = op.attributes().integer("group", 1);
        return of(
                at.needsAdjoint(op, 0) ? ConvImageGradient.of(at, x, w, dy, window, groups) : null,
                at.needsAdjoint(op, 1) ? ConvWeightGradient.of(at, new ConvTask(x, dy, w, window, groups)) : null,
                bias(at, dy));
    }

    private static List<Value> transposed(RuleContext at, Op op, List<Value> given) {
        Value x = op.input(0);
        Value w = op.input(1);
        Value dy = given.getFirst();
        Window window = spreading(op, w);
        long groups = op.attributes().integer("group", 1);
        // The window slides over the result here, and image and adjoint change places.
        return of(
                at.needsAdjoint(op, 0) ? at.op("Conv", window.attributes(groups), dy, w) : null,
                at.needsAdjoint(op, 1) ? ConvWeightGradient.of(at, new ConvTask(dy, x, w, window, groups)) : null,
                bias(at, dy));
    }

    private static Value bias(RuleContext at, Value dy) {
        var axes = new ArrayList<>(List.of(0L));
        LongStream.range(2, dy.rank()).forEach(axes::add);
        return at.reduceSum(dy, axes, false);
    }

    /** Its window as one that slides over the result. */
    private static Window spreading(Op op, Value w) {
        Window window = Window.of(op, w);
        List<Long> extra = op.attributes().integers("output_padding").orElse(List.of());
        for (int i = 0; i < extra.size(); i++) {
            if (extra.get(i) >= window.strides().get(i)) {
                throw new UnsupportedOperatorException("it leaves %d pixels behind its patches, and its stride is %d"
                        .formatted(extra.get(i), window.strides().get(i)));
            }
        }
        return window;
    }
}
