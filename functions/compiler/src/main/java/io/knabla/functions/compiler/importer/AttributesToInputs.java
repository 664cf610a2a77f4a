package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.axis;
import static io.knabla.functions.compiler.importer.LoweringHelpers.inputs;
import static io.knabla.functions.compiler.importer.LoweringHelpers.one;
import static io.knabla.functions.compiler.importer.LoweringHelpers.recreate;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers operators of old opsets to the form with inputs instead of attributes, such as bounds, pads and counts. */
final class AttributesToInputs {
    private static final int MASK_IS_BOOLEAN = 10;
    private static final int TRAINING_IS_AN_INPUT = 12;

    private AttributesToInputs() {}

    static void register(Map<String, Lowering> table) {
        table.put("Clip", AttributesToInputs::clip);
        table.put("Pad", AttributesToInputs::pad);
        table.put("Slice", AttributesToInputs::slice);
        table.put("TopK", AttributesToInputs::topK);
        table.put("Dropout", AttributesToInputs::dropout);
        table.put("Reshape", AttributesToInputs::reshape);
        table.put("Tile", AttributesToInputs::tile);
        table.put("Upsample", Resizing::upsample);
        table.put("Resize", Resizing::resize);
        table.put("DFT", AttributesToInputs::dft);
    }

    private static Optional<List<Value>> clip(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        Value low = bound(code, call, "min", 1);
        Value high = bound(code, call, "max", 2);
        return low == null && high == null ? one(x) : recreate(code, call, Attributes.NONE, inputs(x, low, high));
    }

    private static Value bound(Ops code, Call call, String attribute, int input) {
        return call.attributes().has(attribute)
                ? code.scalar(requiredInput(call, 0), call.attributes().real(attribute, 0))
                : call.input(input);
    }

    /** Turns the pads of all axes, starts first, and the fill value into inputs. */
    private static Optional<List<Value>> pad(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        String name = call.attributes().has("paddings") ? "paddings" : "pads";
        String mode = call.attributes().text("mode", "constant");
        Attributes attributes = Attributes.of("mode", mode);
        Value value = call.attributes().has("value")
                ? code.scalar(x, call.attributes().real("value", 0))
                : call.input(2);
        value = mode.equals("constant") ? value : null;
        if (!call.attributes().has(name) && call.input(3) == null) {
            return recreate(code, call, attributes, inputs(x, requiredInput(call, 1), value));
        }
        List<Long> pads = Axes.stated(call, name, 1).orElseThrow();
        if (call.has(3)) {
            pads = spread(pads, LoweringHelpers.numbers(call, 3), x.rank());
        }
        return recreate(code, call, attributes, inputs(x, code.ints(pads), value));
    }

    private static List<Long> spread(List<Long> pads, List<Long> axes, int rank) {
        var all = new ArrayList<>(Collections.nCopies(2 * rank, 0L));
        if (pads.size() != 2 * axes.size()) {
            throw new UnsupportedOperatorException(
                    "has %d pads for %d axes; two an axis are needed".formatted(pads.size(), axes.size()));
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
        Value x = requiredInput(call, 0);
        Value starts = given(code, call, "starts", 1);
        Value ends = given(code, call, "ends", 2);
        Value axes = given(code, call, "axes", 3);
        Value steps = call.input(4);
        if (starts == null || ends == null) {
            throw new UnsupportedOperatorException("does not say where it starts and ends");
        }
        if (axes == null) {
            int count = starts.knownIntegers().map(List::size).orElseGet(() ->
                    (int) starts.dim(0).or(-1));
            axes = count < 0 ? null : code.ints(LoweringHelpers.range(0, count));
        } else if (axes.knownIntegers().isPresent() && x.shape().isPresent()) {
            axes = code.ints(LoweringHelpers.axes(axes.knownIntegers().get(), x.rank()));
        }
        if (steps == null && axes != null && axes.knownIntegers().isPresent()) {
            steps = code.ints(Collections.nCopies(axes.knownIntegers().get().size(), 1L));
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
        Value x = requiredInput(call, 0);
        Value k = call.attributes().has("k") ? code.ints(call.attributes().integer("k", 1)) : requiredInput(call, 1);
        long axis = axis(call.attributes().integer("axis", -1), x.rank());
        Attributes attributes = call.attributes().without("k").with("axis", axis);
        return recreate(code, call, attributes, inputs(x, k));
    }

    /**
     * At inference Dropout copies its input; the mask is all ones, or all zeros before opset 12, as in older engines.
     */
    private static Optional<List<Value>> dropout(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        boolean asked = call.opset() >= TRAINING_IS_AN_INPUT && call.has(2);
        if (asked && !LoweringHelpers.isFalse(call.input(2))) {
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
        return one(code.op("Reshape", requiredInput(call, 0), shape));
    }

    private static Optional<List<Value>> tile(Ops code, Call call) {
        if (call.opset() < 6 && call.has(2)) {
            throw new UnsupportedOperatorException(
                    "repeats one axis, as in opsets before 6; export it again with a newer opset");
        }
        return Optional.empty();
    }

    /** Before opset 20 the axis was an attribute. */
    private static Optional<List<Value>> dft(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        boolean old = call.opset() < 20;
        List<Long> stated = old
                ? List.of(call.attributes().integer("axis", 1))
                : call.has(2) ? LoweringHelpers.numbers(call, 2) : List.of(-2L);
        Value axis = code.integer(axis(stated.getFirst(), x.rank()));
        return recreate(code, call, call.attributes().without("axis"), inputs(x, call.input(1), axis));
    }
}
