package io.knabla.runtime.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Idle connections to one server. The latest one is taken first, so that those which are not needed grow old; these are
 * closed, also where nothing is called any more: a burst of calls would hold its descriptors for good.
 */
public final class ConnectionPool implements AutoCloseable {
    /** Below the time after which the servers here close an idle connection. */
    private static final long MOST_IDLE_NANOS = 20_000_000_000L;

    private static final int CONNECT_MILLIS = 2_000;

    private final InetSocketAddress address;
    private final LongSupplier clock;
    private final Deque<ClientConnection> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile boolean closed;

    public ConnectionPool(InetSocketAddress address) {
        this(address, System::nanoTime);
    }

    /** @param clock nanoseconds */
    ConnectionPool(InetSocketAddress address, LongSupplier clock) {
        this.address = address;
        this.clock = clock;
    }

    /** Takes an idle connection or opens one. */
    public ClientConnection take() throws IOException {
        ClientConnection latest = idle.pollFirst();
        if (latest != null && !isStale(latest)) {
            return latest;
        }
        if (latest != null) {
            latest.close();
            closeIdle();
        }
        return open();
    }

    /** Opens a connection that was not used before. */
    public ClientConnection open() throws IOException {
        return ClientConnection.open(address, CONNECT_MILLIS);
    }

    /** Keeps the connection for another request if it can carry one. */
    public void give(ClientConnection connection) {
        if (!connection.reusable() || closed) {
            connection.close();
            return;
        }
        connection.idle(clock.getAsLong());
        idle.addFirst(connection);
        if (closed) {
            closeIdle();
        }
        sweepLater();
    }

    private boolean isStale(ClientConnection connection) {
        return clock.getAsLong() - connection.idleSince() >= MOST_IDLE_NANOS;
    }

    private void sweepLater() {
        if (!sweeping.get() && sweeping.compareAndSet(false, true)) {
            Thread.ofVirtual().name("knabla-idle-connections").start(this::sweep);
        }
    }

    private void sweep() {
        try {
            do {
                Thread.sleep(Duration.ofNanos(MOST_IDLE_NANOS));
                closeStale();
            } while (!idle.isEmpty());
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        } finally {
            sweeping.set(false);
        }
        // One that was given back meanwhile found this sweep still running.
        if (!idle.isEmpty()) {
            sweepLater();
        }
    }

    void closeStale() {
        for (ClientConnection oldest = idle.peekLast(); oldest != null && isStale(oldest); oldest = idle.peekLast()) {
            if (idle.removeLastOccurrence(oldest)) {
                oldest.close();
            }
        }
    }

    private void closeIdle() {
        for (ClientConnection each = idle.pollFirst(); each != null; each = idle.pollFirst()) {
            each.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }
}
