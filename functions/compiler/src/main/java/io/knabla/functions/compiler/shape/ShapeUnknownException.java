package io.knabla.functions.compiler.shape;

/** Ends a shape rule that needs unknown information. Not an error: the outputs are then unknown too. */
final class ShapeUnknownException extends RuntimeException {
    static final ShapeUnknownException INSTANCE = new ShapeUnknownException();

    private ShapeUnknownException() {
        super("known only at run time", null, false, false);
    }
}
