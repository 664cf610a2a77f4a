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

    /** Whether the memory was reserved. */
    boolean reserve(InetAddress client, long bytes) {
        if (held.addAndGet(bytes) > most) {
            held.addAndGet(-bytes);
            return false;
        }
        if (!client.isLoopbackAddress() && heldBy.merge(client, bytes, Long::sum) > most / 2) {
            release(client, bytes);
            return false;
        }
        return true;
    }

    void release(InetAddress client, long bytes) {
        if (bytes == 0) {
            return;
        }
        held.addAndGet(-bytes);
        if (!client.isLoopbackAddress()) {
            heldBy.computeIfPresent(client, (address, before) -> before > bytes ? before - bytes : null);
        }
    }

    /** Bytes that are reserved now. */
    long held() {
        return held.get();
    }
}
