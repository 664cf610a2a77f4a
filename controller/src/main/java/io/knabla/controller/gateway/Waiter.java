package io.knabla.controller.gateway;

import io.knabla.controller.scale.Trouble;

/** Request queued for a replica; one of the two methods is called, on any thread. */
interface Waiter {
    /** @param waitedForStart whether no replica was ready when it was queued */
    void granted(Upstream endpoint, boolean waitedForStart);

    void refused(Trouble trouble);
}
