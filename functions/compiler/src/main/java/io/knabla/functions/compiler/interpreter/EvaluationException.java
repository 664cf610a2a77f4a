package io.knabla.functions.compiler.interpreter;

/** Signals inputs or attributes with which an operator cannot be evaluated; the message says which. */
public final class EvaluationException extends RuntimeException {
    public EvaluationException(String what) {
        super(what);
    }

    EvaluationException(String what, Throwable cause) {
        super(what, cause);
    }
}
