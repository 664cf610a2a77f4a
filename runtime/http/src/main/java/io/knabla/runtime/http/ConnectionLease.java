package io.knabla.runtime.http;

import java.io.IOException;

/**
 * A connection that a pool lends for one request. Its user gives it back; any thread may cancel the request until then,
 * which closes the connection. Afterwards the connection may carry another request, which a late cancel does not touch.
 */
public final class ConnectionLease {
    private final ConnectionPool pool;
    private ClientConnection lent;
    private boolean cancelled;

    public ConnectionLease(ConnectionPool pool) {
        this.pool = pool;
    }

    /**
     * Takes the connection.
     *
     * @throws IOException if there is none and none can be opened
     */
    public ClientConnection take() throws IOException {
        ClientConnection taken = pool.take();
        synchronized (this) {
            lent = taken;
            if (cancelled) {
                taken.close();
            }
        }
        return taken;
    }

    /** Gives the connection back, once; the pool keeps it if it can carry another request. */
    public void give() {
        ClientConnection returned;
        synchronized (this) {
            returned = lent;
            lent = null;
        }
        if (returned != null) {
            pool.give(returned);
        }
    }

    /** Closes the connection if it was not given back. */
    public synchronized void cancel() {
        cancelled = true;
        if (lent != null) {
            lent.close();
        }
    }
}
