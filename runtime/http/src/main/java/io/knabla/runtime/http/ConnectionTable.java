package io.knabla.runtime.http;

import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The open connections of a server and the streams of HTTP/2 on them, limited in all and by client. At its limit, it
 * closes the connection whose peer is most behind to admit a new one: many slow peers cannot lock out others.
 */
final class ConnectionTable {
    /** A connection that waits for less than this may just have been opened. */
    private static final long TOLERATED_WAIT_NANOS = 50_000_000L;

    /** A body that is less behind than this may still come. */
    private static final long TOLERATED_BODY_NANOS = 1_000_000_000L;

    private final int most;
    private final int mostOfClient;

    /** Some room is left for connections, so that streams cannot keep others out. */
    private final int mostStreams;

    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
    private final Map<InetAddress, Integer> ofClient = new ConcurrentHashMap<>();
    private final AtomicInteger streams = new AtomicInteger();

    ConnectionTable(int most, int mostOfClient) {
        this.most = most;
        this.mostOfClient = mostOfClient;
        this.mostStreams = most - most / 4;
    }

    /** Whether a further connection of this client may be opened; makes room for it if it must. */
    boolean admits(InetAddress client, long now) {
        if (!client.isLoopbackAddress() && ofClient.getOrDefault(client, 0) >= mostOfClient) {
            return evict(
                            now,
                            TOLERATED_WAIT_NANOS,
                            connection -> connection.client().equals(client))
                    .isPresent();
        }
        return open.size() + streams.get() < most || evictLatest(now);
    }

    void add(HttpConnection connection) {
        open.add(connection);
        ofClient.merge(connection.client(), 1, Integer::sum);
    }

    void remove(HttpConnection connection) {
        if (open.remove(connection)) {
            release(connection.client());
        }
    }

    private void release(InetAddress client) {
        ofClient.computeIfPresent(client, (address, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Counts a stream of HTTP/2 like a connection, because a proxy opens one for it; false if there is no room for it.
     */
    boolean addStream(InetAddress client, long now) {
        if (!hasRoomForStream(now) || !client.isLoopbackAddress() && ofClient.getOrDefault(client, 0) >= mostOfClient) {
            return false;
        }
        streams.incrementAndGet();
        ofClient.merge(client, 1, Integer::sum);
        return true;
    }

    private boolean hasRoomForStream(long now) {
        if (streams.get() >= mostStreams) {
            return evict(now, TOLERATED_WAIT_NANOS, HttpConnection::hasStreams).isPresent();
        }
        return open.size() + streams.get() < most || evictLatest(now);
    }

    void removeStream(InetAddress client) {
        streams.decrementAndGet();
        release(client);
    }

    /** Closes the connection whose large body is most behind, and waits until its memory is free. */
    boolean evictStalledBody(long now) {
        return evictBody(now, HttpConnection::holdsBody);
    }

    boolean evictStalledBody(InetAddress client, long now) {
        return evictBody(
                now, connection -> connection.holdsBody() && connection.client().equals(client));
    }

    private boolean evictBody(long now, Predicate<HttpConnection> candidate) {
        Optional<HttpConnection> evicted = evict(now, TOLERATED_BODY_NANOS, candidate);
        evicted.ifPresent(HttpConnection::awaitEnd);
        return evicted.isPresent();
    }

    boolean evictLatest(long now) {
        return evict(now, TOLERATED_WAIT_NANOS, connection -> true).isPresent();
    }

    private Optional<HttpConnection> evict(long now, long tolerated, Predicate<HttpConnection> candidate) {
        Optional<HttpConnection> latest = latest(now, tolerated, candidate);
        latest.ifPresent(connection -> {
            // Removed here and not when its thread ends: the next one to make room must choose another.
            remove(connection);
            connection.close();
        });
        return latest;
    }

    private Optional<HttpConnection> latest(long now, long tolerated, Predicate<HttpConnection> candidate) {
        HttpConnection latest = null;
        long most = 0;
        for (HttpConnection connection : open) {
            ConnectionProgress progress = connection.progress();
            boolean late = progress.behindNanos(now) > tolerated && progress.urgency(now) > most;
            if (late && candidate.test(connection) && connection.awaits(progress)) {
                latest = connection;
                most = progress.urgency(now);
            }
        }
        return Optional.ofNullable(latest);
    }

    Stream<ConnectionProgress> progress() {
        return open.stream().map(HttpConnection::progress);
    }

    void sweep(long now) {
        for (HttpConnection connection : open) {
            connection.sweep(now);
        }
    }

    void closeAll() {
        open.forEach(HttpConnection::close);
    }
}
