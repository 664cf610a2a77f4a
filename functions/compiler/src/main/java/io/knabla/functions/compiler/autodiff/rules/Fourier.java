package io.knabla.functions.compiler.autodiff.rules;

import static io.knabla.functions.compiler.autodiff.reverse.RuleContext.of;

import io.knabla.functions.compiler.autodiff.reverse.Rule;
import io.knabla.functions.compiler.autodiff.reverse.RuleContext;
import io.knabla.functions.compiler.ir.Attributes;
import io.knabla.functions.compiler.ir.Op;
import io.knabla.functions.compiler.ir.UnsupportedOperatorException;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.Axis;
import io.knabla.functions.compiler.onnx.ElementType;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Derivative rule of DFT: transforms the adjoint in the opposite direction and corrects the scale. The transform is a
 * symmetric complex matrix F over pairs of reals: its adjoint is the conjugate of F, which is n times the inverse
 * transform.
 */
final class Fourier {
    private Fourier() {}

    static void register(Map<String, Rule> table) {
        table.put("DFT", Fourier::dft);
    }

    private static List<Value> dft(RuleContext at, Op op, List<Value> dy) {
        Value x = op.input(0);
        long axis = axis(op);
        boolean inverse = op.attributes().integer("inverse", 0) == 1;
        boolean oneSided = op.attributes().integer("onesided", 0) == 1;
        Value length = length(at, op, axis, inverse && oneSided);
        Value g = dy.getFirst();
        if (oneSided && inverse) {
            return of(fitted(at, x, halfSpectrum(at, g, length, axis), axis));
        }
        Value whole = oneSided ? lengthened(at, g, length, axis) : g;
        Value back = transform(at, whole, axis, !inverse);
        Value scale = at.castLike(at.squeeze(length, 0), g);
        Value scaled = inverse ? at.div(back, scale) : at.mul(back, scale);
        Value fitted = fitted(at, x, scaled, axis);
        return of(x.dim(-1).is(1) ? at.slice(fitted, -1, 0, 1) : fitted);
    }

    private static long axis(Op op) {
        int rank = op.input(0).rank();
        long axis = op.has(2)
                ? op.input(2)
                        .knownIntegers()
                        .orElseThrow(() ->
                                new UnsupportedOperatorException("its axis is known in a run only; make it a constant"))
                        .getFirst()
                : -2;
        return Axis.fromFront(axis, rank);
    }

    /** Number of transformed points, as a vector of one element. */
    private static Value length(RuleContext at, Op op, long axis, boolean fromHalf) {
        if (op.has(1)) {
            Value given = at.cast(op.input(1), ElementType.INT64);
            return ScatterHelpers.foldConstants(at, at.reshape(given, at.ints(1)));
        }
        return fromHalf ? at.sizeOf(op.output(), axis) : at.sizeOf(op.input(0), axis);
    }

    private static Value transform(RuleContext at, Value x, long axis, boolean inverse) {
        Attributes direction = Attributes.of("inverse", inverse ? 1 : 0);
        return at.op("DFT", direction, x, null, at.integer(axis));
    }

    /** Appends zeros for the half of the spectrum that is not an output. */
    private static Value lengthened(RuleContext at, Value dy, Value length, long axis) {
        Value missing = at.sub(length, at.sizeOf(dy, axis));
        Value pads = ScatterHelpers.foldConstants(at, at.concat(0, at.ints(0), missing));
        return ScatterHelpers.padded(at, dy, pads, List.of(axis));
    }

    /** Restores the number of input points: points that were cut off get 0, padding is dropped. */
    private static Value fitted(RuleContext at, Value x, Value dx, long axis) {
        Value missing = at.sub(at.sizeOf(x, axis), at.sizeOf(dx, axis));
        Value pads = ScatterHelpers.foldConstants(at, at.concat(0, at.ints(0), missing));
        boolean fits = pads.knownIntegers().filter(n -> n.getLast() == 0).isPresent();
        return fits ? dx : ScatterHelpers.padded(at, dx, pads, List.of(axis));
    }

    /** Every frequency stands for two, except the first and, for an even length, the middle one. */
    private static Value halfSpectrum(RuleContext at, Value dy, Value length, long axis) {
        Attributes half = Attributes.of("onesided", 1);
        Value spectrum = at.op("DFT", half, dy, null, at.integer(axis));
        Value k = at.indices(at.sizeOf(spectrum, axis));
        Value n = at.squeeze(length, 0);
        Value single = at.or(at.equal(k, at.integer(0)), at.equal(at.mul(k, at.integer(2)), n));
        Value weight = at.where(single, at.scalar(dy, 1), at.scalar(dy, 2));
        int behind = dy.rank() - 1 - (int) axis;
        var axes = LongStream.rangeClosed(1, behind).boxed().toList();
        return at.mul(spectrum, at.div(at.unsqueeze(weight, axes), at.castLike(n, dy)));
    }
}
