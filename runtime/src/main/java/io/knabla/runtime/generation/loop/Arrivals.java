package io.knabla.runtime.generation.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Accepted requests on their way to the engine's thread, and the bound of those that are not finished. Thread-safe. */
final class Arrivals {
    private final Queue<TextSequence> arrived = new ArrayDeque<>();
    private final int most;
    private int unfinished;
    private long ids;
    private boolean closed;

    /** Whether a request was taken. */
    enum Answer {
        ACCEPTED,
        FULL,
        CLOSED
    }

    /** @param most requests that may be unfinished at a time */
    Arrivals(int most) {
        this.most = most;
    }

    synchronized Answer offer(TextSequence sequence) {
        if (closed) {
            return Answer.CLOSED;
        }
        if (unfinished == most) {
            return Answer.FULL;
        }
        unfinished++;
        sequence.id = ids++;
        arrived.add(sequence);
        notifyAll();
        return Answer.ACCEPTED;
    }

    /** Takes a request again that was accepted before; false if this is closed. */
    synchronized boolean back(TextSequence sequence) {
        if (closed) {
            return false;
        }
        arrived.add(sequence);
        notifyAll();
        return true;
    }

    /** Takes all that arrived. Waits for one if told to, unless closed. */
    synchronized List<TextSequence> take(boolean wait) throws InterruptedException {
        while (wait && arrived.isEmpty() && !closed) {
            wait();
        }
        return takeNow();
    }

    /** Takes all that arrived, which may be none. */
    synchronized List<TextSequence> takeNow() {
        List<TextSequence> taken = new ArrayList<>(arrived);
        arrived.clear();
        return taken;
    }

    synchronized void finished() {
        unfinished--;
    }

    synchronized int unfinished() {
        return unfinished;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Accepts none any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
