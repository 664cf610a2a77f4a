package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers Unique, STFT and AffineGrid; selected elements are read by Gather, which has a derivative. */
final class SamplingAndSelection {
    private static final int MAX_FRAMES = 4_000_000;

    private SamplingAndSelection() {}

    static void register(Map<String, Lowering> table) {
        table.put("Unique", SamplingAndSelection::unique);
        LoweringHelpers.put(table, "STFT", SamplingAndSelection::stft);
        LoweringHelpers.put(table, "AffineGrid", SamplingAndSelection::affineGrid);
    }

    /** Gathers the first output at the indices in the second. */
    private static Optional<List<Value>> unique(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        var spec = io.knabla.functions.compiler.ir.Op.Spec.of("Unique", call.attributes(), List.of(x));
        var outputs = new ArrayList<>(code.builder().op(spec, 4).outputs());
        if (x.isFloat()) {
            boolean whole = !call.attributes().has("axis");
            long axis = whole ? 0 : LoweringHelpers.axis(call.attributes().integer("axis", 0), x.rank());
            Value from = whole ? code.reshape(x, -1) : x;
            outputs.set(0, code.gather(from, outputs.get(1), axis));
        }
        return Optional.of(outputs);
    }

    /** Gathers the frames, weights them by the window, and transforms them together. */
    private static Value stft(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long step = ConstantEvaluation.integer(requiredInput(call, 1)).orElse(0L);
        long width = call.has(3)
                ? ConstantEvaluation.integer(call.input(3)).orElse(0L)
                : call.has(2) ? call.input(2).dim(0).or(0) : 0;
        if (!(x.dim(1) instanceof Dim.Known(var length)) || step < 1 || width < 1) {
            throw NotConstantException.INSTANCE;
        }
        long frames = Math.max(0, (length - width) / step + 1);
        if (frames * width > MAX_FRAMES) {
            throw NotConstantException.INSTANCE;
        }
        double[] places = new double[(int) (frames * width)];
        for (int i = 0; i < places.length; i++) {
            places[i] = i / width * step + i % width;
        }
        Value index = code.builder().constant(Constants.tensor(ElementType.INT64, List.of(frames, width), places));
        Value cut = code.gather(x.rank() == 2 ? code.unsqueeze(x, 2) : x, index, 1);
        Value weighed = call.has(2) ? code.mul(cut, code.unsqueeze(call.input(2), 1)) : cut;
        long half = call.attributes().integer("onesided", 1);
        return code.op("DFT", Attributes.of("onesided", half), weighed, null, code.integer(2));
    }

    /** Transforms the grid points by the affine matrix. */
    private static Value affineGrid(Ops code, Call call) {
        Value theta = requiredInput(call, 0);
        List<Long> size = LoweringHelpers.numbers(call, 1);
        List<Long> image = size.subList(2, size.size());
        boolean corners = call.attributes().integer("align_corners", 0) == 1;
        long points = image.stream().reduce(1L, Math::multiplyExact);
        int axes = image.size();
        if (points > MAX_FRAMES || axes < 2) {
            throw new UnsupportedOperatorException("makes a grid of %d points in %d axes".formatted(points, axes));
        }
        double[] grid = new double[(int) points * (axes + 1)];
        for (int p = 0; p < points; p++) {
            long left = p;
            for (int axis = axes - 1; axis >= 0; axis--) {
                long count = image.get(axis);
                double at = left % count;
                // Points list their coordinates from the last axis on: x, y, z.
                grid[p * (axes + 1) + axes - 1 - axis] =
                        corners ? count == 1 ? 0 : 2 * at / (count - 1) - 1 : (2 * at + 1) / count - 1;
                left /= count;
            }
            grid[p * (axes + 1) + axes] = 1;
        }
        Value base = code.builder().constant(Constants.tensor(theta.element(), List.of(points, axes + 1L), grid));
        Value moved = code.matmul(base, code.transposed(theta));
        var shape = new ArrayList<Long>(List.of(-1L));
        shape.addAll(image);
        shape.add((long) axes);
        return code.reshape(moved, shape.stream().mapToLong(s -> s).toArray());
    }
}
