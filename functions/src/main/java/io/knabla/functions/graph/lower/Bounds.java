package io.knabla.functions.graph.lower;

import static io.knabla.functions.graph.lower.Forms.as;
import static io.knabla.functions.graph.lower.Forms.axis;
import static io.knabla.functions.graph.lower.Forms.inputs;
import static io.knabla.functions.graph.lower.Forms.need;
import static io.knabla.functions.graph.lower.Forms.one;

import io.knabla.functions.graph.ElementType;
import io.knabla.functions.graph.ssa.Attributes;
import io.knabla.functions.graph.ssa.Lowering;
import io.knabla.functions.graph.ssa.Lowering.Call;
import io.knabla.functions.graph.ssa.Ops;
import io.knabla.functions.graph.ssa.Refusal;
import io.knabla.functions.graph.ssa.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns attributes of old opsets, such as bounds, pads and counts, into inputs. */
final class Bounds {
    private static final int MASK_IS_BOOLEAN = 10;
    private static final int TRAINING_IS_AN_INPUT = 12;

    private Bounds() {}

    static void register(Map<String, Lowering> table) {
        table.put("Clip", Bounds::clip);
        table.put("Pad", Bounds::pad);
        table.put("Slice", Bounds::slice);
        table.put("TopK", Bounds::topK);
        table.put("Dropout", Bounds::dropout);
        table.put("Reshape", Bounds::reshape);
        table.put("Tile", Bounds::tile);
        table.put("Upsample", Resizing::upsample);
        table.put("Resize", Resizing::resize);
        table.put("DFT", Bounds::dft);
    }

    private static Optional<List<Value>> clip(Ops code, Call call) {
        Value x = need(call, 0);
        Value low = bound(code, call, "min", 1);
        Value high = bound(code, call, "max", 2);
        return low == null && high == null ? one(x) : as(code, call, Attributes.NONE, inputs(x, low, high));
    }

    private static Value bound(Ops code, Call call, String attribute, int input) {
        return call.attributes().has(attribute)
                ? code.scalar(need(call, 0), call.attributes().real(attribute, 0))
                : call.input(input);
    }

    /** Turns the pads of all axes, starts first, and the fill value into inputs. */
    private static Optional<List<Value>> pad(Ops code, Call call) {
        Value x = need(call, 0);
        String name = call.attributes().has("paddings") ? "paddings" : "pads";
        String mode = call.attributes().text("mode", "constant");
        Attributes attributes = Attributes.of("mode", mode);
        Value value = call.attributes().has("value")
                ? code.scalar(x, call.attributes().real("value", 0))
                : call.input(2);
        value = mode.equals("constant") ? value : null;
        if (!call.attributes().has(name) && call.input(3) == null) {
            return as(code, call, attributes, inputs(x, need(call, 1), value));
        }
        List<Long> pads = Axes.stated(call, name, 1).orElseThrow();
        if (call.has(3)) {
            pads = spread(pads, Forms.numbers(call, 3), x.rank());
        }
        return as(code, call, attributes, inputs(x, code.ints(pads), value));
    }

    private static List<Long> spread(List<Long> pads, List<Long> axes, int rank) {
        var all = new ArrayList<>(Collections.nCopies(2 * rank, 0L));
        if (pads.size() != 2 * axes.size()) {
            throw new Refusal("has %d pads for %d axes; two an axis are needed".formatted(pads.size(), axes.size()));
        }
        for (int i = 0; i < axes.size(); i++) {
            int axis = (int) axis(axes.get(i), rank);
            all.set(axis, pads.get(i));
            all.set(axis + rank, pads.get(i + axes.size()));
        }
        return all;
    }

    /** Turns starts, ends, axes and steps into inputs; counts known axes from the front. */
    private static Optional<List<Value>> slice(Ops code, Call call) {
        Value x = need(call, 0);
        Value starts = given(code, call, "starts", 1);
        Value ends = given(code, call, "ends", 2);
        Value axes = given(code, call, "axes", 3);
        Value steps = call.input(4);
        if (starts == null || ends == null) {
            throw new Refusal("does not say where it starts and ends");
        }
        if (axes == null) {
            int count = starts.numbers().map(List::size).orElseGet(() ->
                    (int) starts.dim(0).or(-1));
            axes = count < 0 ? null : code.ints(Forms.range(0, count));
        } else if (axes.numbers().isPresent() && x.shape().isPresent()) {
            axes = code.ints(Forms.axes(axes.numbers().get(), x.rank()));
        }
        if (steps == null && axes != null && axes.numbers().isPresent()) {
            steps = code.ints(Collections.nCopies(axes.numbers().get().size(), 1L));
        }
        return one(code.op("Slice", x, starts, ends, axes, steps));
    }

    private static Value given(Ops code, Call call, String attribute, int input) {
        Optional<List<Long>> stated = call.attributes().integers(attribute);
        return stated.isPresent()
                ? code.ints(stated.get())
                : call.has(input) ? code.cast(call.input(input), ElementType.INT64) : null;
    }

    private static Optional<List<Value>> topK(Ops code, Call call) {
        Value x = need(call, 0);
        Value k = call.attributes().has("k") ? code.ints(call.attributes().integer("k", 1)) : need(call, 1);
        long axis = axis(call.attributes().integer("axis", -1), x.rank());
        Attributes attributes = call.attributes().without("k").with("axis", axis);
        return as(code, call, attributes, inputs(x, k));
    }

    /**
     * At inference Dropout copies its input; the mask is all ones, or all zeros before opset 12, as in older engines.
     */
    private static Optional<List<Value>> dropout(Ops code, Call call) {
        Value x = need(call, 0);
        boolean asked = call.opset() >= TRAINING_IS_AN_INPUT && call.has(2);
        if (asked && !Forms.isFalse(call.input(2))) {
            return Optional.empty();
        }
        if (call.outputs() < 2) {
            return one(x);
        }
        ElementType mask = call.opset() >= MASK_IS_BOOLEAN ? ElementType.BOOL : x.element();
        double kept = call.opset() >= TRAINING_IS_AN_INPUT ? 1 : 0;
        return Optional.of(List.of(x, code.fill(code.shapeOf(x), mask, kept)));
    }

    private static Optional<List<Value>> reshape(Ops code, Call call) {
        Optional<List<Long>> stated = call.attributes().integers("shape");
        if (!call.attributes().has("shape")) {
            return Optional.empty();
        }
        Value shape = code.ints(stated.orElse(List.of()));
        return one(code.op("Reshape", need(call, 0), shape));
    }

    private static Optional<List<Value>> tile(Ops code, Call call) {
        if (call.opset() < 6 && call.has(2)) {
            throw new Refusal("repeats one axis, as in opsets before 6; export it again with a newer opset");
        }
        return Optional.empty();
    }

    /** Before opset 20 the axis was an attribute. */
    private static Optional<List<Value>> dft(Ops code, Call call) {
        Value x = need(call, 0);
        boolean old = call.opset() < 20;
        List<Long> stated = old
                ? List.of(call.attributes().integer("axis", 1))
                : call.has(2) ? Forms.numbers(call, 2) : List.of(-2L);
        Value axis = code.integer(axis(stated.getFirst(), x.rank()));
        return as(code, call, call.attributes().without("axis"), inputs(x, call.input(1), axis));
    }
}
