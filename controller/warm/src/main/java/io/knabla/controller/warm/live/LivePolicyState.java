package io.knabla.controller.warm.live;

import io.knabla.controller.warm.policy.SavedState;

/**
 * What a keep-warm policy has learned of one function, as it is stored.
 *
 * @param idleSince of each replica in milliseconds; negative if it is busy or was never used
 */
public record LivePolicyState(long[] idleSince, SavedState policy) {}
