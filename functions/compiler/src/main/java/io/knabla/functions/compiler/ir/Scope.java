package io.knabla.functions.compiler.ir;

/**
 * Graph or subgraph that contains an operation.
 *
 * @param outer enclosing graph; null for the main graph
 */
public record Scope(int id, Scope outer) {
    /** Whether values of {@code other} are visible here. */
    public boolean sees(Scope other) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            if (scope.id == other.id) {
                return true;
            }
        }
        return false;
    }
}
