package io.knabla.functions.graph.ssa;

/**
 * The graph or subgraph that an operation stands in.
 *
 * @param outer the graph around this one; null for the main graph
 */
public record Scope(int id, Scope outer) {
    /** Whether values of {@code other} can be used here. */
    public boolean sees(Scope other) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            if (scope.id == other.id) {
                return true;
            }
        }
        return false;
    }
}
