package io.knabla.functions.graph;

/**
 * Why a model cannot be used as asked.
 *
 * @param where the operation or value, as in {@code graph.node['fc1' Gemm]}
 * @param why a sentence that also says what would help
 */
public record Problem(String where, String why) {
    @Override
    public String toString() {
        return where.isEmpty() ? why : where + ": " + why;
    }
}
