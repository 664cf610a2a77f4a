package io.knabla.functions.compiler.interpreter;

import io.knabla.functions.compiler.ir.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Runs the bodies of Loop and Scan. */
final class Loops {
    /** Limit of iterations, beyond which a loop is rejected as endless. */
    private static final long MAX_TRIPS = 1_000_000;

    private Loops() {}

    /**
     * Inputs: trip count, condition, state. Body inputs: iteration, condition, state. Body outputs: condition, state,
     * scan outputs.
     */
    static List<NdArray> loop(Op op, List<NdArray> inputs, UnaryOperator<List<NdArray>> body) {
        long trips =
                inputs.getFirst() == null ? Long.MAX_VALUE : inputs.getFirst().whole(0);
        boolean goes =
                inputs.size() < 2 || inputs.get(1) == null || inputs.get(1).truth(0);
        List<NdArray> state = inputs.size() < 2 ? List.of() : inputs.subList(2, inputs.size());
        int carried = state.size();
        var stacks = stacks(op.outputs().size() - carried);
        for (long round = 0; goes && round < trips; round++) {
            if (round == MAX_TRIPS) {
                throw new EvaluationException(op + " goes on for more than a million rounds");
            }
            var given = new ArrayList<NdArray>();
            given.add(NdArray.scalar(io.knabla.functions.compiler.onnx.ElementType.INT64, round));
            given.add(NdArray.scalar(io.knabla.functions.compiler.onnx.ElementType.BOOL, 1));
            given.addAll(state);
            List<NdArray> made = body.apply(given);
            goes = made.getFirst().truth(0);
            state = made.subList(1, carried + 1);
            push(stacks, made, carried + 1, false);
        }
        return results(op, state, stacks, carried);
    }

    static List<NdArray> scan(Op op, List<NdArray> inputs, UnaryOperator<List<NdArray>> body) {
        int scanned = (int) op.attributes().integer("num_scan_inputs", 1);
        int carried = inputs.size() - scanned;
        List<NdArray> state = inputs.subList(0, carried);
        var stacks = stacks(op.outputs().size() - carried);
        List<Long> axes = op.attributes().integers("scan_input_axes").orElse(List.of());
        List<Long> ways = op.attributes().integers("scan_input_directions").orElse(List.of());
        List<Long> outWays = op.attributes().integers("scan_output_directions").orElse(List.of());
        int length = -1;
        for (int i = 0; i < scanned; i++) {
            NdArray sequence = inputs.get(carried + i);
            int size = sequence.dim(Dims.axis(at(axes, i), sequence.rank()));
            if (length >= 0 && size != length) {
                throw new EvaluationException(op + " scans inputs of different lengths");
            }
            length = size;
        }
        for (int round = 0; round < length; round++) {
            var given = new ArrayList<>(state);
            for (int i = 0; i < scanned; i++) {
                NdArray sequence = inputs.get(carried + i);
                int axis = Dims.axis(at(axes, i), sequence.rank());
                int k = at(ways, i) == 1 ? length - 1 - round : round;
                given.add(part(sequence, axis, k));
            }
            List<NdArray> made = body.apply(given);
            state = made.subList(0, carried);
            for (int i = 0; i < stacks.size(); i++) {
                push(stacks.subList(i, i + 1), made, carried + i, at(outWays, i) == 1);
            }
        }
        return results(op, state, stacks, carried);
    }

    private static long at(List<Long> list, int index) {
        return index < list.size() ? list.get(index) : 0;
    }

    private static List<List<NdArray>> stacks(int count) {
        var stacks = new ArrayList<List<NdArray>>();
        for (int i = 0; i < count; i++) {
            stacks.add(new ArrayList<>());
        }
        return stacks;
    }

    private static void push(List<List<NdArray>> stacks, List<NdArray> made, int from, boolean first) {
        for (int i = 0; i < stacks.size(); i++) {
            stacks.get(i).add(first ? 0 : stacks.get(i).size(), made.get(from + i));
        }
    }

    private static NdArray part(NdArray sequence, int axis, int k) {
        int[] dims = Dims.without(sequence.dims(), axis);
        int inner = Dims.product(sequence.dims(), axis + 1, sequence.rank());
        int size = sequence.dim(axis);
        return sequence.pick(dims, i -> (i / inner * size + k) * inner + i % inner);
    }

    private static List<NdArray> results(Op op, List<NdArray> state, List<List<NdArray>> stacks, int carried) {
        var results = new ArrayList<>(state);
        List<Long> axes = op.attributes().integers("scan_output_axes").orElse(List.of());
        for (int i = 0; i < stacks.size(); i++) {
            List<NdArray> parts = stacks.get(i);
            if (parts.isEmpty()) {
                results.add(nothing(op, carried + i));
                continue;
            }
            NdArray first = parts.getFirst();
            NdArray stacked = NdArray.joined(parts).withDims(Dims.concat(new int[] {parts.size()}, first.dims()));
            results.add(moved(stacked, Dims.axis(at(axes, i), stacked.rank())));
        }
        return results;
    }

    /** Moves the leading axis. */
    private static NdArray moved(NdArray stacked, int axis) {
        int[] order = new int[stacked.rank()];
        for (int d = 0; d < order.length; d++) {
            order[d] = d < axis ? d + 1 : d == axis ? 0 : d;
        }
        var call = new Call("Transpose", Map.of(), List.of(stacked), Budget.unlimited());
        return axis == 0 ? stacked : Layouts.permuted(call, stacked, order);
    }

    /** Without any iteration, a scan output has its statically known shape. */
    private static NdArray nothing(Op op, int output) {
        var type = op.output(output).type();
        int[] dims = type.shape()
                .map(s -> s.dims().stream().mapToInt(d -> (int) d.or(0)).toArray())
                .orElse(new int[] {0});
        if (dims.length > 0) {
            dims[0] = 0;
        }
        return NdArray.filled(type.element(), dims, 0);
    }
}
