package io.knabla.controller.gateway;

import io.knabla.controller.scale.Trouble;

/** A request that waits in a lane; hears one of the two, on any thread. */
interface Waiter {
    /** @param waitedForStart whether nothing was ready when it began to wait */
    void granted(Upstream upstream, boolean waitedForStart);

    void refused(Trouble trouble);
}
