package io.knabla.functions.graph.ssa;

/**
 * A rule, a lowering or a rewrite cannot be done for this operation; the message says why and what would help. Callers
 * name the operation and gather all refusals of a model.
 */
public final class Refusal extends RuntimeException {
    public Refusal(String why) {
        super(why, null, false, false);
    }
}
