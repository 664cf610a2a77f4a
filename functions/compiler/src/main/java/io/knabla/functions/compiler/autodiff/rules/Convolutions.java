package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.autodiff.rules.ConvWeightGradient.ConvTask;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Convolutions and transposed convolutions, which are each other's adjoints with respect to the image. */
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
        Window window = Window.of(op, x, w);
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
        Window window = spreading(op, x, w);
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

    /** The window with pads that let a convolution over the result yield every pixel of {@code x} once. */
    private static Window spreading(Op op, Value x, Value w) {
        Window window = Window.of(op, op.output(), w);
        var begins = new ArrayList<>(window.begins());
        var ends = new ArrayList<>(window.ends());
        List<Long> extra = op.attributes().integers("output_padding").orElse(List.of());
        boolean worked = op.attributes().has("output_shape")
                || op.attributes().text("auto_pad", "NOTSET").startsWith("SAME");
        for (int i = 0; i < window.axes(); i++) {
            long more = i < extra.size() ? extra.get(i) : 0;
            if (worked) {
                long total = total(op, x, window, i) + more;
                // Pixels beyond the patches stay empty, as with output_padding.
                more = Math.max(more, -total);
                total = Math.max(total, 0);
                boolean upper = op.attributes().text("auto_pad", "").equals("SAME_UPPER");
                begins.set(i, upper ? total / 2 : total - total / 2);
                ends.set(i, total - begins.get(i));
            }
            if (more >= window.strides().get(i)) {
                throw new UnsupportedOperatorException("it leaves %d pixels behind its patches, and its stride is %d"
                        .formatted(more, window.strides().get(i)));
            }
        }
        begins.addAll(ends);
        return window.padded(begins);
    }

    private static long total(Op op, Value x, Window window, int axis) {
        if (x.dim(axis + 2) instanceof Dim.Known(var in) && op.output().dim(axis + 2) instanceof Dim.Known(var out)) {
            return window.strides().get(axis) * (in - 1) + window.span(axis) - out;
        }
        throw new UnsupportedOperatorException(
                "its pads follow from sizes that only a run knows; state pads, or fix the size of axis " + (axis + 2));
    }
}
