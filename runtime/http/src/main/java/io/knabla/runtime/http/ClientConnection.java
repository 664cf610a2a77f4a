package io.knabla.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client's connection to an HTTP server, for one request after the other. Used by one thread, closed by any. */
public final class ClientConnection implements AutoCloseable {
    private static final int MOST_BODY = 64 << 20;

    private final Socket socket;
    private final HttpInput in;
    private final OutputStream out;
    private BodyReader body;
    private boolean keep;
    private boolean headOnly;
    private boolean limited;
    private volatile long idleSince;
    private volatile boolean closed;

    private ClientConnection(Socket socket) throws IOException {
        this.socket = socket;
        in = new HttpInput(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** @throws IOException if nobody listens there, or the time is over */
    public static ClientConnection open(InetSocketAddress address, int connectMillis) throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, connectMillis);
            return new ClientConnection(socket);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
    }

    /** Begins a request; its bytes follow through {@link #send}. */
    public void begin(boolean isHead) throws IOException {
        headOnly = isHead;
        body = null;
        keep = false;
        if (limited) {
            limitReads(0);
        }
    }

    /**
     * Limits the wait for each further piece of this response; 0 for ever.
     *
     * @param millis beyond which a read ends with a {@link java.net.SocketTimeoutException}
     */
    public void limitReads(long millis) throws IOException {
        socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
        limited = millis > 0;
    }

    public void send(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
    }

    /**
     * Reads the head of the final response, however long it takes: who waits less closes the connection.
     *
     * @throws HttpFault if the response is malformed
     */
    public ResponseHead readHead() throws IOException {
        ResponseHead head;
        do {
            if (!in.awaitFirstByte()) {
                throw new EOFException("it closed the connection");
            }
            head = in.readResponse();
        } while (head.status() < 200);
        BodyFraming framing = BodyFraming.of(head, headOnly);
        body = BodyReader.of(framing, in);
        keep = head.keepsAlive() && !(framing instanceof BodyFraming.UntilClose);
        return head;
    }

    /** Declared length of the body; that which GET would have if the request was HEAD; -1 if unknown. */
    public static long length(ResponseHead head) {
        return BodyFraming.of(head, false) instanceof BodyFraming.Sized(long length) ? length : -1;
    }

    /** Reads at least one byte of the response's body; -1 at its end. */
    public int read(byte[] into) throws IOException {
        return body.read(into, 0, into.length);
    }

    /** Reads a body of known length. */
    public byte[] readAll(int length) throws IOException {
        if (length > MOST_BODY) {
            throw new IOException("a response of " + length + " bytes is not held in memory");
        }
        byte[] bytes = new byte[length];
        for (int filled = 0; filled < length; ) {
            filled += body.read(bytes, filled, length - filled);
        }
        return bytes;
    }

    /** Whether the response was read to its end. */
    public boolean complete() {
        return body != null && body.ended();
    }

    /** Whether its response was read completely, so that it can carry another request. */
    public boolean reusable() {
        return !closed && keep && complete() && !in.hasBuffered();
    }

    void idle(long now) {
        idleSince = now;
    }

    long idleSince() {
        return idleSince;
    }

    /** Also ends a read or a write of another thread. */
    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // There is nothing to release.
        }
    }
}
