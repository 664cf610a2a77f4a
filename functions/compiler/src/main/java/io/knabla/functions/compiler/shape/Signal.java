package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Dim;
import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;
import java.util.Map;

/** Shape rules of Fourier transforms, whose last axis holds the real and imaginary parts. */
final class Signal {
    private static final Dim TWO = new Dim.Known(2);

    /** From this opset on the axis is an input; the default counts from the end. */
    private static final int AXIS_AS_INPUT = 20;

    private Signal() {}

    static void register(Map<String, ShapeRule> rules) {
        rules.put("DFT", Signal::dft);
        rules.put("STFT", Signal::stft);
    }

    private static List<Shape> dft(OpContext op) {
        Shape in = op.shape(0);
        int axis = op.opset() < AXIS_AS_INPUT
                ? op.axis("axis", 1, in.rank())
                : OpContext.axis(op.has(2) ? op.numbers(2).getFirst() : -2, in.rank());
        boolean half = op.node().integer("onesided", 0) == 1;
        boolean inverse = op.node().integer("inverse", 0) == 1;
        Dim length = op.has(1) ? op.scalar(1) : in.dim(axis);
        if (half && inverse) {
            Dim whole = op.has(1) ? length : in.dim(axis).minus(Dim.ONE).times(TWO);
            return List.of(in.with(axis, whole).with(-1, Dim.ONE));
        }
        Dim bins = half ? length.dividedBy(TWO).plus(Dim.ONE) : length;
        return List.of(in.with(axis, bins).with(-1, TWO));
    }

    private static List<Shape> stft(OpContext op) {
        Shape in = op.shape(0);
        Dim step = op.scalar(1);
        Dim window = op.has(3) ? op.scalar(3) : op.shape(2).dim(0);
        boolean half = op.node().integer("onesided", 1) == 1;
        Dim frames = in.dim(1).minus(window).dividedBy(step).plus(Dim.ONE);
        Dim bins = half ? window.dividedBy(TWO).plus(Dim.ONE) : window;
        return List.of(new Shape(List.of(in.dim(0), frames, bins, TWO)));
    }
}
