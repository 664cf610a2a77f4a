package io.knabla.runtime.http;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of one HTTP/2 connection: those under way, and those that this server has ended early. Thread-safe. */
final class Http2Streams {
    /** What a peer had sent before it knew of a reset comes soon after it. */
    private static final int REMEMBERED = 1024;

    private final Map<Integer, Http2Stream> open = new ConcurrentHashMap<>();
    private final SequencedSet<Integer> reset = new LinkedHashSet<>();

    void add(Http2Stream stream) {
        open.put(stream.id, stream);
    }

    void remove(Http2Stream stream) {
        open.remove(stream.id);
    }

    int count() {
        return open.size();
    }

    Collection<Http2Stream> all() {
        return open.values();
    }

    /** The stream, if it is under way; otherwise null. */
    Http2Stream get(int id) {
        return open.get(id);
    }

    /**
     * The stream to which the peer adds; null if this server has ended it, so that what comes is dropped.
     *
     * @throws Http2Error if the peer has ended it itself (RFC 9113, section 5.1)
     */
    Http2Stream receiving(int id) {
        Http2Stream stream = open.get(id);
        if (stream == null ? !wasReset(id) : stream.endedByPeer()) {
            throw new Http2Error(Http2Error.STREAM_CLOSED, "more comes of stream %d, which has ended".formatted(id));
        }
        return stream;
    }

    private synchronized boolean wasReset(int id) {
        return reset.contains(id);
    }

    /** Nothing more may come of a stream that the peer has reset, whoever ended it first. */
    synchronized void resetByPeer(int id) {
        reset.remove(id);
    }

    /** Remembers that this server ends a stream early. */
    synchronized void reset(int id) {
        reset.add(id);
        if (reset.size() > REMEMBERED) {
            reset.removeFirst();
        }
    }
}
