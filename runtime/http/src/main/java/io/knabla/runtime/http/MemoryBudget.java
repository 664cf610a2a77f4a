package io.knabla.runtime.http;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that all large bodies of a server share. One address may hold half of it, programs on this machine all of it.
 * Thread-safe.
 */
final class MemoryBudget {
    private final long most;
    private final AtomicLong held = new AtomicLong();
    private final Map<InetAddress, Long> heldBy = new ConcurrentHashMap<>();

    MemoryBudget(long most) {
        this.most = most;
    }

    enum Reservation {
        HELD,
        /** The server holds all it may. */
        EXHAUSTED,
        /** This client holds all that one address may. */
        SHARE_EXHAUSTED
    }

    Reservation reserve(InetAddress client, long bytes) {
        if (!client.isLoopbackAddress() && heldBy.merge(client, bytes, Long::sum) > most / 2) {
            releaseShare(client, bytes);
            return Reservation.SHARE_EXHAUSTED;
        }
        if (held.addAndGet(bytes) > most) {
            release(client, bytes);
            return Reservation.EXHAUSTED;
        }
        return Reservation.HELD;
    }

    void release(InetAddress client, long bytes) {
        if (bytes == 0) {
            return;
        }
        held.addAndGet(-bytes);
        releaseShare(client, bytes);
    }

    private void releaseShare(InetAddress client, long bytes) {
        if (!client.isLoopbackAddress()) {
            heldBy.computeIfPresent(client, (address, before) -> before > bytes ? before - bytes : null);
        }
    }

    /** Bytes that are reserved now. */
    long held() {
        return held.get();
    }
}
