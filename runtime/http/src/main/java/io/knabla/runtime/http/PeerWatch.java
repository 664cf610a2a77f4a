package io.knabla.runtime.http;

import java.io.IOException;

/**
 * Notices that the peer of a connection leaves while its request is being handled. A thread reads ahead into the
 * connection's buffer for that; it is started only for requests that outlast a sweep.
 */
final class PeerWatch {
    private final HttpInput in;
    private Runnable action;
    private boolean outlasted;
    private Thread thread;
    private boolean gone;

    PeerWatch(HttpInput in) {
        this.in = in;
    }

    /** @param whenGone called once on another thread if the peer leaves before {@link #stop} */
    synchronized void start(Runnable whenGone) {
        action = whenGone;
        outlasted = false;
    }

    synchronized void stop() {
        action = null;
    }

    synchronized void sweep() {
        if (action == null || thread != null || in.isFull()) {
            return;
        }
        if (!outlasted) {
            outlasted = true;
            return;
        }
        thread = Thread.ofVirtual().name("watch").start(this::readAhead);
    }

    private void readAhead() {
        boolean open;
        try {
            open = in.fill();
        } catch (IOException reset) {
            open = false;
        }
        if (!open) {
            Runnable told;
            synchronized (this) {
                gone = true;
                told = action;
                action = null;
            }
            if (told != null) {
                told.run();
            }
        }
    }

    /** Waits until no thread reads ahead; false if the peer has left. */
    boolean joined() throws IOException {
        Thread reading;
        synchronized (this) {
            reading = thread;
        }
        if (reading != null) {
            try {
                reading.join();
            } catch (InterruptedException stopping) {
                throw new IOException("interrupted while the connection was read", stopping);
            }
            synchronized (this) {
                thread = null;
            }
        }
        return !gone;
    }
}
