package io.knabla.functions.compiler.importer;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/** Helper methods that the lowerings share. */
final class LoweringHelpers {
    private LoweringHelpers() {}

    /** Registers a lowering that always replaces an operator with one output. */
    static void put(Map<String, Lowering> table, String op, BiFunction<Ops, Call, Value> made) {
        table.put(op, (code, call) -> one(made.apply(code, call)));
    }

    static Optional<List<Value>> one(Value value) {
        return Optional.of(List.of(value));
    }

    /** Recreates the operation with other attributes and inputs. */
    static Optional<List<Value>> recreate(Ops code, Call call, Attributes attributes, List<Value> inputs) {
        return recreate(code, call, call.type(), attributes, inputs);
    }

    static Optional<List<Value>> recreate(Ops code, Call call, String type, Attributes attributes, List<Value> inputs) {
        var spec = new Op.Spec(
                call.spec().name(),
                call.spec().domain(),
                type,
                attributes,
                inputs,
                call.spec().bodies());
        return Optional.of(code.builder().op(spec, call.outputs()).outputs());
    }

    /** Returns a required input. */
    static Value requiredInput(Call call, int input) {
        Value value = call.input(input);
        if (value == null) {
            throw new UnsupportedOperatorException("lacks its input " + input);
        }
        return value;
    }

    /** Inputs with one set at a position; omitted inputs fill the gap before it. */
    static List<Value> with(List<Value> inputs, int place, Value value) {
        var changed = new ArrayList<>(inputs);
        while (changed.size() <= place) {
            changed.add(null);
        }
        changed.set(place, value);
        return changed;
    }

    static List<Value> inputs(Value... inputs) {
        return Arrays.asList(inputs);
    }

    /** An axis counted from the front; {@code end} also allows {@code rank} itself. */
    static long axis(long axis, int rank, boolean end) {
        long counted = Axis.fromFront(axis, rank);
        if (counted < 0 || counted >= rank + (end ? 1 : 0)) {
            throw new UnsupportedOperatorException("names axis %d of a tensor with %d; allowed are %d to %d"
                    .formatted(axis, rank, -rank, end ? rank : rank - 1));
        }
        return counted;
    }

    static long axis(long axis, int rank) {
        return axis(axis, rank, false);
    }

    static List<Long> axes(List<Long> axes, int rank) {
        List<Long> counted = axes.stream().map(axis -> axis(axis, rank)).toList();
        if (counted.stream().distinct().count() != counted.size()) {
            throw new UnsupportedOperatorException("names an axis twice in " + axes);
        }
        return counted;
    }

    static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    /** The integers of an input; throws {@link NotConstantException} if they are computed from data. */
    static List<Long> numbers(Call call, int input) {
        Value value = requiredInput(call, input);
        return value.knownIntegers()
                .or(() -> ConstantEvaluation.reals(value)
                        .map(v -> v.stream().map(Double::longValue).toList()))
                .orElseThrow(() -> NotConstantException.INSTANCE);
    }

    static boolean isFalse(Value condition) {
        return condition.knownIntegers().filter(n -> n.equals(List.of(0L))).isPresent();
    }

    static boolean isTrue(Value condition) {
        return condition.knownIntegers().filter(n -> n.equals(List.of(1L))).isPresent();
    }

    /** A shape with symbolic sizes: numbers become constants, symbols are read from the shape of {@code like}. */
    static Value shape(Ops code, Value like, List<Dim> dims) {
        if (dims.stream().allMatch(Dim::known)) {
            return code.ints(dims.stream().map(d -> d.or(0)).toList());
        }
        Shape given = like.knownShape();
        var parts = new ArrayList<Value>();
        for (Dim dim : dims) {
            int at = given.dims().indexOf(dim);
            if (!dim.known() && (at < 0 || !dim.fixed())) {
                throw new UnsupportedOperatorException("needs sizes that are known only at run time: " + dims);
            }
            parts.add(dim.known() ? code.ints(dim.or(0)) : code.sizeOf(like, at));
        }
        return code.concat(0, parts);
    }

    /** Sizes of a range of axes as an int64 vector. */
    static Value sizes(Ops code, Value value, int from, int to) {
        List<Value> parts = new ArrayList<>();
        for (int axis = from; axis < to; axis++) {
            parts.add(code.sizeOf(value, axis));
        }
        return parts.isEmpty() ? code.ints() : code.concat(0, parts);
    }

    /** Concatenation of int64 vectors; a constant if all of them are constant. */
    static Value joined(Ops code, Value... parts) {
        var all = new ArrayList<Long>();
        for (Value part : parts) {
            if (part.knownIntegers().isEmpty()) {
                return code.concat(0, parts);
            }
            all.addAll(part.knownIntegers().get());
        }
        return code.ints(all);
    }
}
