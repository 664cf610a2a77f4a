package io.knabla.controller.warm.live;

import java.util.ArrayList;
import java.util.List;

/**
 * Derives from a function's requests in flight which of its replicas are busy, if every request takes the lowest free
 * one. Pauses below a second are left out, so a busy function causes no work. Thread-safe.
 */
public final class BusyReplicas {
    /** Replicas beyond are not kept: only the load decides about them. */
    public static final int MOST = 8;

    static final long SHORTEST_PAUSE_MILLIS = 1000;

    /** A replica becomes busy or idle; the times of one replica ascend. */
    public record Change(int replica, boolean busy, long at) {}

    private final Slot[] slots = new Slot[MOST];
    private List<Change> changes = new ArrayList<>();
    private int perReplica = 1;
    private int inFlight;
    private int busy;

    private static final class Slot {
        /** As the last change said. */
        boolean reported;

        long idleSince;
    }

    public BusyReplicas() {
        for (int replica = 0; replica < MOST; replica++) {
            slots[replica] = new Slot();
        }
    }

    /** Sets how many requests one replica executes at a time. */
    public synchronized void capacity(int requests) {
        perReplica = Math.max(1, requests);
    }

    /** Counts requests that begin, or if negative, end. */
    public synchronized void requests(int change, long now) {
        inFlight = Math.max(0, inFlight + change);
        int needed = Math.min(MOST, Math.ceilDiv(inFlight, perReplica));
        for (; busy < needed; busy++) {
            begin(busy, now);
        }
        for (; busy > needed; busy--) {
            slots[busy - 1].idleSince = now;
        }
    }

    private void begin(int replica, long now) {
        Slot slot = slots[replica];
        if (slot.reported && now - slot.idleSince < SHORTEST_PAUSE_MILLIS) {
            return;
        }
        end(replica);
        slot.reported = true;
        changes.add(new Change(replica, true, now));
    }

    private void end(int replica) {
        Slot slot = slots[replica];
        if (slot.reported) {
            slot.reported = false;
            changes.add(new Change(replica, false, slot.idleSince));
        }
    }

    /** The number of busy replicas now. */
    public synchronized int busy() {
        return busy;
    }

    /** Returns the changes since the last call. */
    public synchronized List<Change> take(long now) {
        for (int replica = busy; replica < MOST; replica++) {
            if (now - slots[replica].idleSince >= SHORTEST_PAUSE_MILLIS) {
                end(replica);
            }
        }
        List<Change> taken = changes;
        changes = new ArrayList<>();
        return taken;
    }
}
