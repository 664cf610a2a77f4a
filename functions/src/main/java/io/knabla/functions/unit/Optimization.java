package io.knabla.functions.unit;

/** What the engine may do to a graph when it opens it. */
public enum Optimization {
    /** All that it can. */
    FULL,
    /** All but merging equal nodes, which would undo recomputation. */
    NO_CSE,
    /** Nothing: the graph was optimised before, and its order of nodes is part of it. */
    NONE
}
