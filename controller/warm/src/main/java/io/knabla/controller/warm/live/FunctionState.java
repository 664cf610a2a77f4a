package io.knabla.controller.warm.live;

import io.knabla.controller.warm.policy.SavedState;

/**
 * What a {@link FunctionKeeper} knows of one function.
 *
 * @param observed idle times that were learned from
 * @param idleSince of each replica in milliseconds; negative if it is busy or was never used
 */
public record FunctionState(long observed, long[] idleSince, SavedState policy) {}
