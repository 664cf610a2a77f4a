package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.Shape;
import java.util.List;

/** Which shapes come out of one kind of operator. A rule that asks for something unknown is cut short. */
@FunctionalInterface
interface ShapeRule {
    /** In the order of the node's outputs; further outputs are unknown. */
    List<Shape> infer(OpContext op);
}
