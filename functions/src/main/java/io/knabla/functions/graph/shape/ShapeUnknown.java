package io.knabla.functions.graph.shape;

/** Ends a shape rule that needs unknown information. Not an error: the outputs are then unknown too. */
final class ShapeUnknown extends RuntimeException {
    static final ShapeUnknown INSTANCE = new ShapeUnknown();

    private ShapeUnknown() {
        super("known only at run time", null, false, false);
    }
}
