package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.Shape;
import java.util.List;

/** Infers the output shapes of one kind of operator. A rule that needs unknown information ends early. */
@FunctionalInterface
interface ShapeRule {
    /** Returns shapes in output order; further outputs are unknown. */
    List<Shape> infer(OpContext op);
}
