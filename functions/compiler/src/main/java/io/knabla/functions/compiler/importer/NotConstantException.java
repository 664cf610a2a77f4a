package io.knabla.functions.compiler.importer;

/** Signals that a lowering needs a constant that is computed from data; the operation then stays unchanged. */
final class NotConstantException extends RuntimeException {
    static final NotConstantException INSTANCE = new NotConstantException();

    private NotConstantException() {
        super("known only at run time", null, false, false);
    }
}
