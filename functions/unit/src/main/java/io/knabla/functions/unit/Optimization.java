package io.knabla.functions.unit;

/** Level of graph optimisation that the engine applies when it loads a graph. */
public enum Optimization {
    /** All optimisations. */
    FULL,
    /** All except common subexpression elimination, which would undo recomputation. */
    NO_CSE,
    /** None: the graph is already optimised, and the order of its nodes must stay. */
    NONE
}
