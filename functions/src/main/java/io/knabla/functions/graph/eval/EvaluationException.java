package io.knabla.functions.graph.eval;

/** An operator got what it cannot work with; the message says what. */
public final class EvaluationException extends RuntimeException {
    public EvaluationException(String what) {
        super(what);
    }

    EvaluationException(String what, Throwable cause) {
        super(what, cause);
    }
}
