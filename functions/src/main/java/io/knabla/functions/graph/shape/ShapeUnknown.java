package io.knabla.functions.graph.shape;

/** A rule met something that it cannot know. Not an error: the outputs are then unknown too. */
final class ShapeUnknown extends RuntimeException {
    static final ShapeUnknown INSTANCE = new ShapeUnknown();

    private ShapeUnknown() {
        super("not known before running", null, false, false);
    }
}
