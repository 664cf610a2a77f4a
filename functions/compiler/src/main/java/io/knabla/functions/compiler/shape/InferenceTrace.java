package io.knabla.functions.compiler.shape;

import io.knabla.functions.compiler.onnx.TensorType;
import java.util.List;

/** Nodes of a graph in order, each with the inferred types of its inputs and outputs. */
public record InferenceTrace(List<Step> steps) {

    /** How a step's bodies run. */
    public enum Kind {
        /** No bodies: an operator. */
        OPERATOR,
        /** One of several bodies runs. */
        CHOICE,
        /** One body runs {@link Step#repeat} times. */
        LOOP,
        /** One body runs once: a model-local function. */
        CALL
    }

    /**
     * One node with its inferred output types and the steps of its bodies.
     *
     * @param known whether the operator is in the table of shape rules
     * @param bodies subgraphs or the function's nodes
     */
    public record Step(
            OpContext op,
            List<TensorType> outputs,
            Kind kind,
            List<InferenceTrace> bodies,
            long repeat,
            boolean known) {}
}
