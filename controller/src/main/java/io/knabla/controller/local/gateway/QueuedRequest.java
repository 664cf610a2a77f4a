package io.knabla.controller.local.gateway;

import io.knabla.controller.scale.Unavailable;
import java.net.InetAddress;

/** Request queued for a replica; one of the two methods is called, on any thread. */
interface QueuedRequest {
    /** Address of the client. */
    InetAddress client();

    /** @param waitedForStart whether no replica was ready when it was queued */
    void granted(Endpoint endpoint, boolean waitedForStart);

    void refused(Unavailable trouble);
}
