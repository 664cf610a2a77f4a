package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;

/** Request queued for a replica; one of the two methods is called, on any thread. */
interface QueuedRequest {
    /** @param waitedForStart whether no replica was ready when it was queued */
    void granted(Endpoint endpoint, boolean waitedForStart);

    void refused(Unavailable trouble);
}
