package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Derivative rules of linear operators that reshape, reorder, join, split, repeat or accumulate elements. */
final class Shapes {
    private Shapes() {}

    static void register(Map<String, Rule> table) {
        table.put("Reshape", Shapes::reshape);
        table.put("Flatten", Shapes::reshape);
        table.put("Squeeze", (at, op, dy) -> inverse(at, op, dy, "Unsqueeze"));
        table.put("Unsqueeze", (at, op, dy) -> inverse(at, op, dy, "Squeeze"));
        table.put("Transpose", Shapes::transpose);
        table.put("Expand", (at, op, dy) -> of(at.unbroadcast(dy.getFirst(), op.input(0)), null));
        table.put("Concat", Shapes::concat);
        table.put("Split", Shapes::split);
        table.put("Tile", Shapes::tile);
        table.put("Trilu", (at, op, dy) -> of(at.op("Trilu", op.attributes(), dy.getFirst(), op.input(1))));
        table.put("CumSum", Shapes::cumSum);
        table.put("ReverseSequence", Shapes::again);
        table.put("CenterCropPad", Shapes::centerCropPad);
    }

    private static List<Value> reshape(RuleContext at, Op op, List<Value> dy) {
        return of(at.reshapeLike(dy.getFirst(), op.input(0)));
    }

    /** Needs no sizes if the axes are given; sizes may be known at run time only. */
    private static List<Value> inverse(RuleContext at, Op op, List<Value> dy, String inverse) {
        Value x = op.input(0);
        return x.sizes().isPresent() || !op.has(1)
                ? reshape(at, op, dy)
                : of(ScatterHelpers.opOfType(at, x, inverse, Attributes.NONE, dy.getFirst(), op.input(1)));
    }

    private static List<Value> transpose(RuleContext at, Op op, List<Value> dy) {
        List<Long> order = op.attributes().integers("perm").orElse(List.of());
        if (order.isEmpty()) {
            return of(at.op("Transpose", dy.getFirst()));
        }
        var back = new ArrayList<>(order);
        for (int i = 0; i < order.size(); i++) {
            back.set(order.get(i).intValue(), (long) i);
        }
        return of(at.transpose(dy.getFirst(), back));
    }

    private static List<Value> concat(RuleContext at, Op op, List<Value> dy) {
        long axis = op.attributes().integer("axis", 0);
        var sizes = new ArrayList<Value>();
        op.inputs().forEach(x -> sizes.add(at.sizeOf(x, axis)));
        long wanted = op.inputs().stream().filter(at.active()).count();
        return wanted == 1 && op.inputs().size() > 1
                ? onePart(at, op, dy.getFirst(), axis, sizes)
                : parts(at, op, dy.getFirst(), axis, sizes);
    }

    private static List<Value> parts(RuleContext at, Op op, Value dy, long axis, List<Value> sizes) {
        Value all = ScatterHelpers.foldConstants(at, at.concat(0, sizes));
        Op.Spec spec = Op.Spec.of("Split", Attributes.of("axis", axis), List.of(dy, all));
        return at.builder()
                .op(
                        spec,
                        sizes.size(),
                        List.of(),
                        op.inputs().stream().map(Value::type).toList())
                .outputs();
    }

    /** Slices out only the adjoints that are needed. */
    private static List<Value> onePart(RuleContext at, Op op, Value dy, long axis, List<Value> sizes) {
        var adjoints = new ArrayList<Value>();
        Value from = at.ints(0);
        for (int i = 0; i < sizes.size(); i++) {
            Value to = ScatterHelpers.foldConstants(at, at.add(from, sizes.get(i)));
            boolean wanted = at.needsAdjoint(op, i);
            adjoints.add(
                    wanted
                            ? ScatterHelpers.opOfType(
                                    at, op.input(i), "Slice", Attributes.NONE, dy, from, to, at.ints(axis))
                            : null);
            from = to;
        }
        return adjoints;
    }

    /** Parts that nothing depends on are filled with zeros; later parts keep their positions. */
    private static List<Value> split(RuleContext at, Op op, List<Value> dy) {
        var parts = new ArrayList<Value>();
        for (int i = 0; i < op.outputs().size(); i++) {
            parts.add(at.orZeros(op, dy, i));
        }
        return of(at.concat(op.attributes().integer("axis", 0), parts));
    }

    /** Splits every repeated axis into the repeats and the original, and sums over the repeats. */
    private static List<Value> tile(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value repeats = op.input(1);
        List<Long> numbers = repeats.knownIntegers().orElse(null);
        var sizes = new ArrayList<Value>();
        var summed = new ArrayList<Long>();
        for (int i = 0; i < x.rank(); i++) {
            if (numbers == null || numbers.get(i) != 1) {
                summed.add((long) sizes.size());
                sizes.add(numbers == null ? at.slice(repeats, 0, i, i + 1) : at.ints(numbers.get(i)));
            }
            sizes.add(at.sizeOf(x, i));
        }
        if (summed.isEmpty()) {
            return of(dy.getFirst());
        }
        Value shape = ScatterHelpers.foldConstants(at, at.concat(0, sizes));
        Value parted = at.reshape(dy.getFirst(), shape);
        return of(at.reduceSum(parted, summed, false));
    }

    private static List<Value> cumSum(RuleContext at, Op op, List<Value> dy) {
        long reverse = 1 - op.attributes().integer("reverse", 0);
        return of(at.op("CumSum", op.attributes().with("reverse", reverse), dy.getFirst(), op.input(1)));
    }

    private static List<Value> again(RuleContext at, Op op, List<Value> dy) {
        return of(at.op(op.type(), op.attributes(), dy.getFirst(), op.input(1)));
    }

    /** Cropping and padding are each other's adjoints, because both round the offset down. */
    private static List<Value> centerCropPad(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        Value shape = at.shapeOf(x);
        List<Long> axes = op.attributes().integers("axes").orElse(List.of());
        Value wanted = axes.isEmpty() ? shape : at.gather(shape, at.ints(axes), 0);
        return of(ScatterHelpers.opOfType(at, x, op.type(), op.attributes(), dy.getFirst(), wanted), null);
    }
}
