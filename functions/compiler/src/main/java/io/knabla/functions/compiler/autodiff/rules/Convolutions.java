package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.Backward.of;

import io.knabla.functions.compiler.autodiff.reverse.Backward;
import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.rules.WeightGradient.Task;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Convolutions and their transposes, which are each other's adjoints by the image. */
final class Convolutions {
    private Convolutions() {}

    static void register(Map<String, Rule> table) {
        table.put("Conv", Convolutions::conv);
        table.put("ConvTranspose", Convolutions::transposed);
    }

    private static List<Value> conv(Backward at, Op op, List<Value> given) {
        Value x = op.input(0);
        Value w = op.input(1);
        Value dy = given.getFirst();
        Window window = Window.of(op, w);
        long groups = op.attributes().integer("group", 1);
        return of(
                at.wants(op, 0) ? ImageGradient.of(at, x, w, dy, window, groups) : null,
                at.wants(op, 1) ? WeightGradient.of(at, new Task(x, dy, w, window, groups)) : null,
                bias(at, dy));
    }

    private static List<Value> transposed(Backward at, Op op, List<Value> given) {
        Value x = op.input(0);
        Value w = op.input(1);
        Value dy = given.getFirst();
        Window window = spreading(op, w);
        long groups = op.attributes().integer("group", 1);
        // The window slides over the result here, so image and adjoint change places.
        return of(
                at.wants(op, 0) ? at.op("Conv", window.attributes(groups), dy, w) : null,
                at.wants(op, 1) ? WeightGradient.of(at, new Task(dy, x, w, window, groups)) : null,
                bias(at, dy));
    }

    private static Value bias(Backward at, Value dy) {
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
