package io.knabla.controller.catalog;

import io.knabla.functions.spec.FunctionSpec.Pool;

/**
 * The pool that a deploy chose for a version whose file says {@code auto}; it stays until the next version.
 *
 * @param pool cpu or gpu
 * @param reason for people, with the figures that it rests on
 */
public record PoolDecision(Pool pool, String reason) {
    /** In one line: {@code cpu: …}. */
    public String text() {
        return pool + ": " + reason;
    }
}
