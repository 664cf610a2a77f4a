package io.knabla.functions.graph.lower;

/** Signals that a lowering needs a constant that is computed from data; the operation then stays unchanged. */
final class OnlyAtRun extends RuntimeException {
    static final OnlyAtRun INSTANCE = new OnlyAtRun();

    private OnlyAtRun() {
        super("known only at run time", null, false, false);
    }
}
