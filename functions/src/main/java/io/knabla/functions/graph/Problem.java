package io.knabla.functions.graph;

/**
 * Reason why a model cannot be used, with its location.
 *
 * @param where the operation or value, as in {@code graph.node['fc1' Gemm]}
 * @param why a sentence that also suggests a remedy
 */
public record Problem(String where, String why) {
    @Override
    public String toString() {
        return where.isEmpty() ? why : where + ": " + why;
    }
}
