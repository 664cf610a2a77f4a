package io.knabla.functions.graph.lower;

/** What a lowering needs is computed from data; the operation then stays as it is. */
final class OnlyAtRun extends RuntimeException {
    static final OnlyAtRun INSTANCE = new OnlyAtRun();

    private OnlyAtRun() {
        super("known only while running", null, false, false);
    }
}
