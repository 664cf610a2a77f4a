package io.knabla.controller.warm.act;

import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.warm.live.BusyReplicas;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Derives when replicas were busy from how many requests they have counted, where no request passes this process. As
 * coarse as the counts are read: a replica is busy from the read before its count rose to the last that saw it rise.
 */
final class CountedRequests {
    /** Counts are read every 10 s; a pause shorter than two reads is not seen. */
    static final long READ_MILLIS = 10_000;

    private final BusyReplicas busy;
    private final Map<String, Long> counts = new HashMap<>();
    private boolean complete;
    private int inFlight;
    private long lastRise;

    CountedRequests(BusyReplicas busy) {
        this.busy = busy;
    }

    void observe(Collection<ReplicaInterval> replicas, long now) {
        int risen = 0;
        for (ReplicaInterval replica : replicas) {
            long count = replica.work().succeeded() + replica.work().failed();
            Long before = counts.put(replica.id(), count);
            // What ran before this controller led was not seen to begin.
            risen += count > (before == null ? complete ? 0 : count : before) ? 1 : 0;
        }
        complete = true;
        counts.keySet().retainAll(replicas.stream().map(ReplicaInterval::id).toList());
        if (risen > 0) {
            busy.requests(risen - inFlight, inFlight == 0 ? Math.max(lastRise, now - READ_MILLIS) : now);
            inFlight = risen;
            lastRise = now;
        } else if (inFlight > 0 && now - lastRise >= 2 * READ_MILLIS) {
            busy.requests(-inFlight, lastRise);
            inFlight = 0;
        }
    }
}
