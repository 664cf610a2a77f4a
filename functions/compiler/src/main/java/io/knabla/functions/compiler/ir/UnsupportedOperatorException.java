package io.knabla.functions.compiler.ir;

/**
 * Signals that a rule, lowering or rewrite does not support an operation; the message says why and suggests a remedy.
 * Callers name the operation and collect all such failures of a model.
 */
public final class UnsupportedOperatorException extends RuntimeException {
    public UnsupportedOperatorException(String why) {
        super(why, null, false, false);
    }
}
