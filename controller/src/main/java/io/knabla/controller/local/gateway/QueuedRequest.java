package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.net.InetAddress;

/** Request queued for a replica; one of the two methods is called, on any thread. */
interface QueuedRequest {
    /** Address of the client. */
    InetAddress client();

    /** Whether it is so small that a replica can keep it beside those it works on. */
    boolean isSmall();

    /** @param waitedForStart whether no replica was ready when it was queued */
    void granted(Endpoint endpoint, boolean waitedForStart);

    void refused(Unavailable trouble);
}
