package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.axes;
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
import io.knabla.functions.compiler.onnx.Dim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lowers operators with axes: turns the axes into inputs, counted from the front and explicit wherever the rank is
 * known.
 */
final class Axes {
    private static final int SOFTMAX_ALONG_ONE_AXIS = 13;

    private Axes() {}

    static void register(Map<String, Lowering> table) {
        table.put("Squeeze", Axes::squeeze);
        table.put("Unsqueeze", Axes::unsqueeze);
        table.put("Split", Axes::split);
        for (String op : List.of("Softmax", "LogSoftmax", "Hardmax")) {
            table.put(op, Axes::softmax);
        }
        Map<String, Long> defaults = Map.of(
                "Gather", 0L,
                "GatherElements", 0L,
                "ScatterElements", 0L,
                "ArgMax", 0L,
                "ArgMin", 0L,
                "LayerNormalization", -1L);
        defaults.forEach((op, otherwise) -> table.put(op, (code, call) -> counted(code, call, otherwise)));
        table.put("Scatter", (code, call) -> scatter(code, call));
        table.put("Concat", Axes::concat);
        table.put("Flatten", Axes::flatten);
        table.put("Transpose", Axes::transpose);
    }

    private static Optional<List<Value>> squeeze(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        Optional<List<Long>> axes = stated(call, "axes", 1);
        if (axes.isEmpty()) {
            return Optional.of(List.of(code.squeeze(x, ones(x))));
        }
        return one(code.squeeze(x, sorted(axes(axes.get(), x.rank()))));
    }

    private static List<Long> sorted(List<Long> axes) {
        return axes.stream().sorted().toList();
    }

    private static List<Long> ones(Value x) {
        var ones = new ArrayList<Long>();
        for (int axis = 0; axis < x.rank(); axis++) {
            if (!x.dim(axis).fixed()) {
                throw NotConstantException.INSTANCE;
            }
            if (x.dim(axis).is(1)) {
                ones.add((long) axis);
            }
        }
        return ones;
    }

    private static Optional<List<Value>> unsqueeze(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        List<Long> axes =
                stated(call, "axes", 1).orElseThrow(() -> new UnsupportedOperatorException("names no axes to insert"));
        return one(code.unsqueeze(x, sorted(axes(axes, x.rank() + axes.size()))));
    }

    /** Reads a parameter that was an attribute in old opsets and is an input now. */
    static Optional<List<Long>> stated(Call call, String attribute, int input) {
        if (call.attributes().has(attribute)) {
            return call.attributes().integers(attribute);
        }
        return call.has(input) ? Optional.of(LoweringHelpers.numbers(call, input)) : Optional.empty();
    }

    /** Splits into parts of explicit sizes if the size of the axis is a number. */
    private static Optional<List<Value>> split(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long axis = axis(call.attributes().integer("axis", 0), x.rank());
        Attributes attributes = Attributes.of("axis", axis);
        int parts = call.outputs();
        if (call.attributes().has("split")) {
            List<Long> sizes = call.attributes().integers("split").orElseThrow();
            return recreate(code, call, attributes, inputs(x, code.ints(sizes)));
        }
        if (call.has(1)) {
            return recreate(code, call, attributes, inputs(x, call.input(1)));
        }
        if (!(x.dim((int) axis) instanceof Dim.Known(var whole))) {
            return recreate(code, call, attributes.with("num_outputs", parts), inputs(x));
        }
        long chunk = Math.ceilDiv(whole, parts);
        var sizes = new ArrayList<Long>();
        for (int i = 0; i < parts; i++) {
            sizes.add(Math.clamp(whole - i * chunk, 0, chunk));
        }
        return recreate(code, call, attributes, inputs(x, code.ints(sizes)));
    }

    /** Before opset 13, these operators flattened all axes from the given one on. */
    private static Optional<List<Value>> softmax(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        boolean flat = call.opset() < SOFTMAX_ALONG_ONE_AXIS;
        int rank = x.rank();
        long axis = axis(call.attributes().integer("axis", flat ? 1 : -1), rank, flat);
        if (!flat || axis == rank - 1) {
            return recreate(code, call, Attributes.of("axis", axis), inputs(x));
        }
        Value matrix = code.op("Flatten", Attributes.of("axis", axis), x);
        Value result = code.op(call.type(), Attributes.of("axis", 1), matrix);
        return one(code.reshape(result, code.shapeOf(x)));
    }

    private static Optional<List<Value>> counted(Ops code, Call call, long otherwise) {
        if (requiredInput(call, 0).shape().isEmpty()) {
            return Optional.empty();
        }
        int rank = requiredInput(call, 0).rank();
        long axis = axis(call.attributes().integer("axis", otherwise), rank);
        return recreate(
                code, call, call.attributes().with("axis", axis), call.spec().inputs());
    }

    private static Optional<List<Value>> scatter(Ops code, Call call) {
        return recreate(
                code, call, "ScatterElements", call.attributes(), call.spec().inputs());
    }

    private static Optional<List<Value>> concat(Ops code, Call call) {
        List<Value> parts = call.spec().inputs();
        if (parts.isEmpty() || parts.contains(null)) {
            throw new UnsupportedOperatorException("concatenates nothing");
        }
        if (parts.size() == 1) {
            return one(parts.getFirst());
        }
        Optional<Value> ranked =
                parts.stream().filter(p -> p.shape().isPresent()).findFirst();
        long stated = call.attributes().integer("axis", call.opset() < 4 ? 1 : 0);
        if (ranked.isEmpty()) {
            return Optional.empty();
        }
        return one(code.concat(axis(stated, ranked.get().rank()), parts));
    }

    private static Optional<List<Value>> flatten(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long axis = axis(call.attributes().integer("axis", 1), x.rank(), true);
        return one(code.op("Flatten", Attributes.of("axis", axis), x));
    }

    private static Optional<List<Value>> transpose(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        int rank = x.rank();
        List<Long> order = call.attributes()
                .integers("perm")
                .orElseGet(() -> LoweringHelpers.range(0, rank).reversed());
        if (order.size() != rank) {
            throw new UnsupportedOperatorException("orders %d axes of a tensor with %d".formatted(order.size(), rank));
        }
        return one(code.transpose(x, axes(order, rank)));
    }
}
