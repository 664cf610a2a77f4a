package io.knabla.functions.graph.shape;

import io.knabla.functions.graph.TensorType;
import java.util.List;

/** The nodes of a graph in order, each with what is known of its inputs and outputs. */
public record Trace(List<Step> steps) {

    /** How a step's bodies run. */
    public enum Kind {
        /** No bodies: an operator. */
        OPERATOR,
        /** One of several. */
        CHOICE,
        /** One, {@link Step#repeat} times. */
        LOOP,
        /** One, once: a function that the model brings along. */
        CALL
    }

    /**
     * @param known whether the operator is in the table of shape rules
     * @param bodies subgraphs or the function's nodes
     */
    public record Step(
            OpContext op, List<TensorType> outputs, Kind kind, List<Trace> bodies, long repeat, boolean known) {}
}
