package io.knabla.runtime.http;

import io.knabla.runtime.http.MemoryBudget.Reservation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Accepts connections, serves each on a virtual thread, and closes those whose peer is too slow. */
public final class HttpServer implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final long SWEEP_MILLIS = 500;
    private static final long REFUSED_PAUSE_NANOS = 10_000_000;

    private final ServerSocket listener;
    private final HttpHandler handler;
    private final HttpLimits limits;
    private final LongSupplier clock;
    private final ConnectionTable open;
    private final MemoryBudget memory;
    private final ThreadFactory threads = Thread.ofVirtual().name("http-", 0).factory();
    private volatile boolean draining;
    private volatile boolean closed;

    private HttpServer(ServerSocket listener, HttpHandler handler, HttpLimits limits, LongSupplier clock) {
        this.listener = listener;
        this.handler = handler;
        this.limits = limits;
        this.clock = clock;
        this.memory = new MemoryBudget(limits.bufferedBytes());
        this.open = new ConnectionTable(limits.connections(), limits.connectionsPerClient());
    }

    /** Listens on {@code address}; port 0 takes a free port. */
    public static HttpServer open(InetSocketAddress address, HttpHandler handler, HttpLimits limits)
            throws IOException {
        return open(address, handler, limits, System::nanoTime);
    }

    /** @param clock nanoseconds, for the deadlines of peers */
    static HttpServer open(InetSocketAddress address, HttpHandler handler, HttpLimits limits, LongSupplier clock)
            throws IOException {
        var listener = new ServerSocket();
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException taken) {
            listener.close();
            throw new IOException(
                    "cannot listen on %s:%d: %s; choose another PORT, or 0 for a free one"
                            .formatted(address.getHostString(), address.getPort(), taken.getMessage()),
                    taken);
        }
        var server = new HttpServer(listener, handler, limits, clock);
        Thread.ofPlatform().daemon().name("accept").start(server::accept);
        return server;
    }

    public int port() {
        return listener.getLocalPort();
    }

    HttpHandler handler() {
        return handler;
    }

    HttpLimits limits() {
        return limits;
    }

    long now() {
        return clock.getAsLong();
    }

    /**
     * Reserves memory for a large body from the shared budget; false if it is exhausted, even after bodies that do not
     * arrive were given up: of any client, or of this one if it has used up its share.
     */
    boolean reserve(InetAddress client, long bytes) {
        Reservation outcome = memory.reserve(client, bytes);
        while (outcome != Reservation.HELD && makeRoom(outcome, client)) {
            outcome = memory.reserve(client, bytes);
        }
        return outcome == Reservation.HELD;
    }

    private boolean makeRoom(Reservation refused, InetAddress client) {
        return switch (refused) {
            case HELD -> false;
            case EXHAUSTED -> open.evictStalledBody(now());
            case SHARE_EXHAUSTED -> open.evictStalledBody(client, now());
        };
    }

    void release(InetAddress client, long bytes) {
        memory.release(client, bytes);
    }

    /** Bytes of bodies that are reserved now. */
    long heldBytes() {
        return memory.held();
    }

    boolean addStream(InetAddress client) {
        return open.addStream(client, now());
    }

    void removeStream(InetAddress client) {
        open.removeStream(client);
    }

    /** What the open connections do now. */
    Stream<ConnectionProgress> progress() {
        return open.progress();
    }

    void remove(HttpConnection connection) {
        open.remove(connection);
    }

    private void accept() {
        Thread.ofPlatform().daemon().name("sweep").start(this::sweep);
        while (!closed) {
            try {
                admit(listener.accept());
            } catch (IOException refused) {
                // Too many open files: makes room and keeps accepting.
                if (!open.evictLatest(now())) {
                    LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
                }
            }
        }
    }

    private void admit(Socket socket) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            start(socket);
        } catch (IOException left) {
            socket.close();
        }
    }

    private void start(Socket socket) throws IOException {
        InetAddress client = socket.getInetAddress();
        if (!open.admits(client, now())) {
            rejectConnection(socket);
            return;
        }
        var connection = new HttpConnection(this, socket);
        open.add(connection);
        connection.start(threads);
    }

    /** Writes a few bytes into an empty socket buffer, so it never blocks the accepting thread. */
    private void rejectConnection(Socket socket) throws IOException {
        try (socket) {
            String sentence =
                    "this server has reached its limit of %d connections; reuse one of them, or try again later"
                            .formatted(limits.connections());
            new HttpOutput(socket.getOutputStream())
                    .write(handler.error(503, sentence).withHeaders("Retry-After: 1\r\n"), false, false);
        }
    }

    private void sweep() {
        while (!closed) {
            open.sweep(now());
            try {
                Thread.sleep(SWEEP_MILLIS);
            } catch (InterruptedException ending) {
                return;
            }
        }
    }

    /** Closes each connection after its next response from here on: no further request is wanted. */
    public void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException alreadyGone) {
            // There is nothing to release.
        }
        open.closeAll();
    }
}
