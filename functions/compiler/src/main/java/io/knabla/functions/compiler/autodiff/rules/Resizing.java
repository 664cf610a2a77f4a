package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.interpreter.EvaluationException;
import io.knabla.functions.compiler.interpreter.Evaluator;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Constants;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Derivative rules of Resize, DepthToSpace and SpaceToDepth. Resizing is linear along every axis: its adjoint is a
 * product with the transposed matrix, found by applying the operation to the identity. Repeating every pixel needs no
 * matrix.
 */
final class Resizing {
    /** Sample size that tests whether the operation repeats pixels, for any size. */
    private static final long SAMPLE = 5;

    private static final int SCALES = 2;
    private static final int SIZES = 3;

    private Resizing() {}

    static void register(Map<String, Rule> table) {
        table.put("Resize", Resizing::resize);
        table.put("DepthToSpace", Resizing::depthToSpace);
        table.put("SpaceToDepth", Resizing::spaceToDepth);
    }

    /** One resized axis; the scale is stated, or follows from the sizes. */
    private record ResizedAxis(Op op, int axis, Optional<Double> scale, Dim in, Dim out) {

        /** How often each pixel is repeated, if the operation does nothing else. */
        Optional<Long> repeats() {
            if (factor().filter(f -> f == 1).isPresent()) {
                return Optional.of(1L);
            }
            boolean whole = op.attributes().text("mode", "nearest").equals("nearest")
                    && factor().filter(f -> f >= 1 && f == Math.rint(f)).isPresent();
            if (!whole) {
                return Optional.empty();
            }
            long times = factor().orElseThrow().longValue();
            NdArray matrix = matrix(SAMPLE, SAMPLE * times);
            for (int o = 0; o < SAMPLE * times; o++) {
                if (matrix.real((int) (o * SAMPLE + o / times)) != 1) {
                    return Optional.empty();
                }
            }
            return Optional.of(times);
        }

        private Optional<Double> factor() {
            return scale.isPresent()
                    ? scale
                    : in.known() && out.known() ? Optional.of((double) out.or(0) / in.or(1)) : Optional.empty();
        }

        /** Rows are pixels of the result, columns those of the image. */
        NdArray matrix() {
            if (!in.known() || !out.known()) {
                throw new UnsupportedOperatorException(
                        "axis %d has a size that only a run knows; fix it, or use mode nearest with a whole scale"
                                .formatted(axis));
            }
            return matrix(in.or(0), out.or(0));
        }

        private NdArray matrix(long from, long to) {
            GeneratedConstant.elements("an identity", from, from);
            GeneratedConstant.elements("a matrix", to, from);
            Attributes plain = op.attributes().with("axes", List.of(0L));
            var inputs = new ArrayList<NdArray>(List.of(identity((int) from)));
            inputs.add(null);
            inputs.add(scale.map(s -> NdArray.floats(new int[] {1}, s)).orElse(null));
            if (scale.isEmpty()) {
                inputs.add(NdArray.longs(to));
            }
            try {
                return Evaluator.evaluate("Resize", plain.values(), inputs)
                        .orElseThrow()
                        .getFirst();
            } catch (EvaluationException unknown) {
                throw new UnsupportedOperatorException("has no derivative in this form: " + unknown.getMessage());
            }
        }

        private static NdArray identity(int size) {
            double[] values = new double[size * size];
            for (int i = 0; i < size; i++) {
                values[i * (size + 1)] = 1;
            }
            return NdArray.reals(ElementType.DOUBLE, new int[] {size, size}, values);
        }
    }

    private static List<Value> resize(RuleContext at, Op op, List<Value> dy) {
        Value dx = dy.getFirst();
        for (ResizedAxis along : axes(op)) {
            Optional<Long> repeats = along.repeats();
            if (repeats.isPresent()) {
                dx = repeats.get() == 1 ? dx : gathered(at, dx, along.axis, repeats.get());
            } else {
                dx = times(at, dx, along.axis, along.matrix());
            }
        }
        return of(at.reshapeLike(dx, op.input(0)));
    }

    private static List<ResizedAxis> axes(Op op) {
        Value x = op.input(0);
        List<Long> axes = op.attributes()
                .integers("axes")
                .orElseGet(() -> LongStream.range(0, x.rank()).boxed().toList());
        if (op.attributes().text("coordinate_transformation_mode", "").startsWith("tf_crop")) {
            throw new UnsupportedOperatorException("crops by a region; use another coordinate_transformation_mode");
        }
        if (!op.attributes().text("keep_aspect_ratio_policy", "stretch").equals("stretch")) {
            throw new UnsupportedOperatorException("keeps the aspect ratio; state the sizes instead");
        }
        List<Optional<Double>> scales = scales(op, axes.size());
        var all = new ArrayList<ResizedAxis>();
        for (int i = 0; i < axes.size(); i++) {
            int axis = (int) (Axis.fromFront(axes.get(i), x.rank()));
            Dim in = x.dim(axis);
            Dim out = op.output().dim(axis);
            boolean kept = scales.get(i).isEmpty() && in.fixed() && in.equals(out);
            all.add(new ResizedAxis(op, axis, kept ? Optional.of(1.0) : scales.get(i), in, out));
        }
        return all;
    }

    /** One scale per axis; empty if sizes are stated instead. */
    private static List<Optional<Double>> scales(Op op, int axes) {
        if (op.has(SIZES)) {
            return Collections.nCopies(axes, Optional.empty());
        }
        Value scales = op.input(SCALES);
        if (scales == null || scales.constant().isEmpty()) {
            throw new UnsupportedOperatorException("has scales that only a run knows");
        }
        NdArray numbers = NdArray.of(scales.constant().get());
        var all = new ArrayList<Optional<Double>>();
        for (int i = 0; i < axes; i++) {
            all.add(Optional.of(numbers.real(i)));
        }
        return all;
    }

    /** Sums the adjoints of all copies of each pixel. */
    private static Value gathered(RuleContext at, Value dy, int axis, long times) {
        var sizes = new ArrayList<Value>();
        for (int i = 0; i < dy.rank(); i++) {
            if (i == axis) {
                sizes.add(at.op("Div", at.sizeOf(dy, i), at.ints(times)));
                sizes.add(at.ints(times));
            } else {
                sizes.add(at.sizeOf(dy, i));
            }
        }
        Value apart = at.reshape(dy, ScatterHelpers.foldConstants(at, at.concat(0, sizes)));
        return at.reduceSum(apart, axis + 1L, false);
    }

    private static Value times(RuleContext at, Value dy, int axis, NdArray matrix) {
        List<Long> dims = List.of((long) matrix.dim(0), (long) matrix.dim(1));
        Value constant = at.builder().constant(Constants.tensor(dy.element(), dims, matrix.reals()));
        var order = new ArrayList<>(LongStream.range(0, dy.rank()).boxed().toList());
        Collections.swap(order, axis, dy.rank() - 1);
        return at.transpose(at.matmul(at.transpose(dy, order), constant), order);
    }

    private static List<Value> depthToSpace(RuleContext at, Op op, List<Value> dy) {
        long block = op.attributes().integer("blocksize", 1);
        if (op.attributes().text("mode", "DCR").equals("DCR")) {
            return of(at.op("SpaceToDepth", Attributes.of("blocksize", block), dy.getFirst()));
        }
        Value g = dy.getFirst();
        Value x = op.input(0);
        Value apart = at.op(
                "Reshape",
                g,
                at.concat(0, at.ints(0, 0), at.sizeOf(x, 2), at.ints(block), at.sizeOf(x, 3), at.ints(block)));
        return of(at.reshapeLike(at.transpose(apart, 0, 1, 3, 5, 2, 4), x));
    }

    private static List<Value> spaceToDepth(RuleContext at, Op op, List<Value> dy) {
        Attributes same = Attributes.of("blocksize", op.attributes().integer("blocksize", 1));
        return of(at.op("DepthToSpace", same, dy.getFirst()));
    }
}
