package io.knabla.functions.graph.ssa;

/**
 * Signals that a rule, lowering or rewrite does not support an operation; the message says why and suggests a remedy.
 * Callers name the operation and collect all such failures of a model.
 */
public final class Refusal extends RuntimeException {
    public Refusal(String why) {
        super(why, null, false, false);
    }
}
