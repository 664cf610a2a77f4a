package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Derivative rules of Slice and Pad: the adjoint of one is the other. */
final class Slices {
    private static final long TO_THE_FRONT = Long.MIN_VALUE + 1;

    private Slices() {}

    static void register(Map<String, Rule> table) {
        table.put("Slice", Slices::slice);
        table.put("Pad", Slices::pad);
    }

    private static List<Value> slice(RuleContext at, Op op, List<Value> dy) {
        Optional<List<Long>> axes = axes(op);
        Optional<List<Long>> steps = op.has(4)
                ? op.input(4).knownIntegers()
                : axes.map(a -> a.stream().map(_ -> 1L).toList());
        return axes.isPresent() && steps.isPresent()
                ? of(spread(at, op, dy.getFirst(), axes.get(), steps.get()))
                : of(anywhere(at, op, dy.getFirst()));
    }

    private static Optional<List<Long>> axes(Op op) {
        if (op.has(3)) {
            return op.input(3).knownIntegers();
        }
        Value starts = op.input(1);
        return starts.sizes()
                .map(size -> LongStream.range(0, size.getFirst()).boxed().toList());
    }

    /** For axes or steps known at run time only: applies the same slice to the flat indices. */
    private static Value anywhere(RuleContext at, Op op, Value dy) {
        Value x = op.input(0);
        var inputs = new ArrayList<>(op.inputs());
        inputs.set(0, ScatterHelpers.flatIndices(at, x));
        Value places = at.op("Slice", op.attributes(), inputs.toArray(Value[]::new));
        return ScatterHelpers.scatterByIndex(at, x, places, dy);
    }

    private static Value spread(RuleContext at, Op op, Value dy, List<Long> axes, List<Long> steps) {
        Value x = op.input(0);
        Value y = op.output();
        var before = new ArrayList<Value>();
        var after = new ArrayList<Value>();
        Value spread = dy;
        for (int i = 0; i < axes.size(); i++) {
            long axis = axes.get(i);
            long step = steps.get(i);
            Value size = at.sizeOf(x, axis);
            Value count = at.sizeOf(y, axis);
            Value start = start(at, op, i, size, step);
            if (step < 0) {
                spread = reversed(at, spread, axis);
                Value stride = at.ints(-step);
                Value last = at.sub(start, at.mul(at.sub(count, at.ints(1)), stride));
                start = at.min(last, size);
            }
            spread = apart(at, spread, y, axis, Math.abs(step));
            Value taken = at.mul(count, at.ints(Math.abs(step)));
            before.add(start);
            after.add(at.sub(at.sub(size, start), taken));
        }
        before.addAll(after);
        Value pads = ScatterHelpers.foldConstants(at, at.concat(0, before));
        boolean whole = pads.knownIntegers()
                .filter(all -> all.stream().allMatch(p -> p == 0))
                .isPresent();
        return whole ? spread : ScatterHelpers.padded(at, x, spread, pads, axes, null);
    }

    /** Start of the slice, counted from the front and clamped to the axis. */
    private static Value start(RuleContext at, Op op, int index, Value size, long step) {
        Value starts = op.input(1);
        Value given = starts.knownIntegers()
                .map(numbers -> at.ints(numbers.get(index)))
                .orElseGet(() -> at.slice(at.cast(starts, ElementType.INT64), 0, index, index + 1));
        if (step > 0 && given.knownIntegers().filter(n -> n.getFirst() == 0).isPresent()) {
            return given;
        }
        Value zero = at.ints(0);
        Value limit = step > 0 ? size : at.sub(size, at.ints(1));
        Value counted = at.where(at.less(given, zero), at.add(given, size), given);
        return ScatterHelpers.foldConstants(at, at.max(at.min(counted, limit), zero));
    }

    private static Value reversed(RuleContext at, Value dy, long axis) {
        return at.op("Slice", dy, at.ints(-1), at.ints(TO_THE_FRONT), at.ints(axis), at.ints(-1));
    }

    /** Inserts zeros after every element: elements then lie one step apart. */
    private static Value apart(RuleContext at, Value dy, Value y, long axis, long step) {
        if (step == 1) {
            return dy;
        }
        int rank = y.rank();
        long front = Axis.fromFront(axis, rank);
        Value column = at.unsqueeze(dy, front + 1);
        Value padded = ScatterHelpers.padded(at, column, at.ints(0, step - 1), List.of(front + 1));
        var sizes = new ArrayList<Value>();
        for (int d = 0; d < rank; d++) {
            Value size = at.sizeOf(dy, d);
            sizes.add(d == front ? at.mul(size, at.ints(step)) : size);
        }
        return at.reshape(padded, ScatterHelpers.foldConstants(at, at.concat(0, sizes)));
    }

    private static List<Value> pad(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value g = dy.getFirst();
        if (!op.attributes().text("mode", "constant").equals("constant")) {
            var inputs = new ArrayList<>(op.inputs());
            inputs.set(0, ScatterHelpers.flatIndices(at, x));
            Value places = at.op("Pad", op.attributes(), inputs.toArray(Value[]::new));
            return of(ScatterHelpers.scatterByIndex(at, x, places, g));
        }
        Value cropped = ScatterHelpers.foldConstants(at, at.neg(op.input(1)));
        Value dx = op.has(3) && op.input(3).knownIntegers().isPresent()
                ? ScatterHelpers.padded(
                        at, x, g, cropped, op.input(3).knownIntegers().get(), null)
                : ScatterHelpers.opOfType(at, x, "Pad", Attributes.NONE, g, cropped, null, op.input(3));
        return at.needsAdjoint(op, 2) ? of(dx, null, ofTheValue(at, op, g)) : of(dx);
    }

    /** Adjoint of the fill value: the sum over the padding. */
    private static Value ofTheValue(RuleContext at, Op op, Value dy) {
        Value x = op.input(0);
        Value one = at.scalar(dy, 1);
        Value zeros = at.zeros(x);
        Value around = op.has(3) && op.input(3).knownIntegers().isPresent()
                ? ScatterHelpers.padded(
                        at, dy, zeros, op.input(1), op.input(3).knownIntegers().get(), one)
                : at.op("Pad", zeros, op.input(1), one, op.input(3));
        return at.reshapeLike(at.sumAll(at.mul(dy, around)), op.input(2));
    }
}
