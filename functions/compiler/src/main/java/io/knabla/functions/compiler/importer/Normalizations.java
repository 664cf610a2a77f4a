package io.knabla.functions.compiler.importer;

import static io.knabla.functions.compiler.importer.LoweringHelpers.range;
import static io.knabla.functions.compiler.importer.LoweringHelpers.requiredInput;

import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Lowering.Call;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lowers normalisations, to LayerNormalization where possible, which has a kernel and a derivative. */
final class Normalizations {
    private static final double EPSILON = 1e-5;
    private static final double MVN_EPSILON = 1e-9;
    private static final double SKIP_EPSILON = 1e-12;

    /** Earlier opsets have one scale per group. */
    private static final int SCALE_PER_CHANNEL = 21;

    private Normalizations() {}

    static void register(Map<String, Lowering> table) {
        LoweringHelpers.put(table, "InstanceNormalization", Normalizations::instance);
        LoweringHelpers.put(table, "GroupNormalization", Normalizations::group);
        LoweringHelpers.put(table, "MeanVarianceNormalization", Normalizations::meanVariance);
        LoweringHelpers.put(table, "LpNormalization", Normalizations::lp);
        LoweringHelpers.put(table, "LRN", Normalizations::local);
        table.put("RMSNormalization", (code, call) -> rms(code, call, EPSILON));
        table.put("SimplifiedLayerNormalization", (code, call) -> rms(code, call, EPSILON));
        table.put("com.microsoft.SkipSimplifiedLayerNormalization", Normalizations::skipSimplified);
        table.put("com.microsoft.SkipLayerNormalization", Normalizations::skip);
    }

    private static double epsilon(Call call, double otherwise) {
        return call.attributes().real("epsilon", otherwise);
    }

    private static Value instance(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        Value rows = x.rank() == 3 ? x : code.reshape(x, 0, 0, -1);
        Value normal = code.reshapeLike(rows(code, rows, epsilon(call, EPSILON)), x);
        return scaled(code, normal, requiredInput(call, 1), requiredInput(call, 2));
    }

    /** Normalises along the last of three axes. */
    private static Value rows(Ops code, Value rows, double epsilon) {
        if (!(rows.dim(2) instanceof Dim.Known(var size))) {
            return normalized(code, rows, List.of(2L), epsilon);
        }
        Value ones = code.fill(code.ints(size), rows.element(), 1);
        Attributes attributes = Attributes.of("axis", 2).with("epsilon", epsilon);
        return code.op("LayerNormalization", attributes, rows, ones);
    }

    private static Value normalized(Ops code, Value x, List<Long> axes, double epsilon) {
        Value centred = code.sub(x, code.reduceMean(x, axes, true));
        Value variance = code.reduceMean(code.square(centred), axes, true);
        return code.div(centred, code.sqrt(code.add(variance, epsilon)));
    }

    /** Applies one factor and one term per channel, which is the second axis. */
    private static Value scaled(Ops code, Value x, Value scale, Value bias) {
        List<Long> behind = range(1, x.rank() - 1);
        return code.add(code.mul(x, code.unsqueeze(scale, behind)), code.unsqueeze(bias, behind));
    }

    private static Value group(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long groups = call.attributes().integer("num_groups", 0);
        if (groups < 1) {
            throw new UnsupportedOperatorException("has %d groups; at least 1 is needed".formatted(groups));
        }
        Value normal = rows(code, code.reshape(x, 0, groups, -1), epsilon(call, EPSILON));
        Value scale = requiredInput(call, 1);
        Value bias = requiredInput(call, 2);
        if (call.opset() < SCALE_PER_CHANNEL) {
            return code.reshapeLike(scaled(code, normal, scale, bias), x);
        }
        return scaled(code, code.reshapeLike(normal, x), scale, bias);
    }

    private static Value meanVariance(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        List<Long> axes =
                LoweringHelpers.axes(call.attributes().integers("axes").orElse(List.of(0L, 2L, 3L)), x.rank());
        Value mean = code.reduceMean(x, axes, true);
        Value centred = code.sub(x, mean);
        Value variance = code.reduceMean(code.square(centred), axes, true);
        return code.div(centred, code.add(code.sqrt(variance), MVN_EPSILON));
    }

    /** A vector of length 0 stays 0. */
    private static Value lp(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        List<Long> axis = List.of(LoweringHelpers.axis(call.attributes().integer("axis", -1), x.rank()));
        boolean city = call.attributes().integer("p", 2) == 1;
        Value length = city ? code.reduceSum(code.abs(x), axis, true) : code.reduce("ReduceL2", x, axis, true);
        Value none = code.equal(length, code.scalar(x, 0));
        return code.div(x, code.where(none, code.scalar(x, 1), length));
    }

    /** Divides by the squares of the neighbouring channels. */
    private static Value local(Ops code, Call call) {
        Value x = requiredInput(call, 0);
        long size = call.attributes().integer("size", 1);
        if (size < 1 || size > 64) {
            throw new UnsupportedOperatorException("looks at %d channels; 1 to 64 are supported".formatted(size));
        }
        double alpha = call.attributes().real("alpha", 1e-4) / size;
        long before = (size - 1) / 2;
        long[] pads = new long[2 * x.rank()];
        pads[1] = before;
        pads[x.rank() + 1] = size - 1 - before;
        Value padded = code.pad(code.square(x), code.ints(pads));
        Value sum = null;
        for (long i = 0; i < size; i++) {
            long end = i + 1 - size;
            Value part = code.slice(padded, 1, i, end == 0 ? Integer.MAX_VALUE : end);
            sum = sum == null ? part : code.add(sum, part);
        }
        Value scale = code.add(code.mul(sum, alpha), call.attributes().real("bias", 1));
        Value beta = code.scalar(x, call.attributes().real("beta", 0.75));
        return code.div(x, code.pow(scale, beta));
    }

    /** Outputs: normalised, inverse root of the mean square. */
    private static Optional<List<Value>> rms(Ops code, Call call, double otherwise) {
        Value x = requiredInput(call, 0);
        long axis = LoweringHelpers.axis(call.attributes().integer("axis", -1), x.rank());
        return Optional.of(rms(code, x, requiredInput(call, 1), range(axis, x.rank()), epsilon(call, otherwise)));
    }

    private static List<Value> rms(Ops code, Value x, Value scale, List<Long> axes, double epsilon) {
        boolean narrow = x.element().bits() < 32;
        Value wide = narrow ? code.cast(x, ElementType.FLOAT) : x;
        Value mean = code.reduceMean(code.square(wide), axes, true);
        Value root = code.sqrt(code.add(mean, epsilon));
        Value normal = code.cast(code.div(wide, root), x.element());
        return List.of(code.mul(normal, scale), code.reciprocal(root));
    }

    /** Outputs: normalised, two for statistics, the sum. */
    private static Optional<List<Value>> skipSimplified(Ops code, Call call) {
        Value sum = code.add(requiredInput(call, 0), requiredInput(call, 1));
        sum = call.has(3) ? code.add(sum, call.input(3)) : sum;
        List<Long> last = List.of((long) sum.rank() - 1);
        List<Value> made = rms(code, sum, requiredInput(call, 2), last, epsilon(call, SKIP_EPSILON));
        return Optional.of(List.of(made.get(0), made.get(1), made.get(1), sum));
    }

    private static Optional<List<Value>> skip(Ops code, Call call) {
        Value sum = code.add(requiredInput(call, 0), requiredInput(call, 1));
        sum = call.has(4) ? code.add(sum, call.input(4)) : sum;
        List<Value> made = layer(code, sum, requiredInput(call, 2), call.input(3), epsilon(call, SKIP_EPSILON));
        return Optional.of(List.of(made.get(0), made.get(1), made.get(2), sum));
    }

    /** Along the last axis; outputs: normalised, mean, inverse deviation. */
    static List<Value> layer(Ops code, Value x, Value scale, Value bias, double epsilon) {
        Attributes attributes = Attributes.of("axis", x.rank() - 1L).with("epsilon", epsilon);
        var spec = Op.Spec.of("LayerNormalization", attributes, LoweringHelpers.inputs(x, scale, bias));
        return code.builder().op(spec, 3).outputs();
    }
}
