package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.TensorType;
import java.util.List;

/** What comes out of one kind of operator. A rule that asks for something unknown is cut short. */
@FunctionalInterface
interface ShapeRule {
    /** Types in the order of the node's outputs; further outputs are unknown. */
    List<TensorType> infer(OpContext op);
}
