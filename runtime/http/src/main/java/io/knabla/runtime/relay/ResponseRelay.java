package io.knabla.runtime.relay;

import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.ResponseHead;
import io.knabla.runtime.http.ResponseWriter;
import java.io.IOException;

/** Streams the response of another server to the client. */
public final class ResponseRelay {
    private static final int PIECE = 32 << 10;

    private ResponseRelay() {}

    /**
     * Passes head and body on. If the other server breaks off, the client's response stays incomplete and its
     * connection is closed.
     *
     * @param headers header lines for the client, each ended by CR LF, without framing
     * @return whether the response is complete
     * @throws IOException if the client has left
     */
    public static boolean stream(ClientConnection from, ResponseHead head, String headers, HttpExchange to)
            throws IOException {
        return stream(from, to.respond(head.status(), headers, ClientConnection.length(head)));
    }

    /** The same for the body alone, behind a head that was sent. */
    public static boolean stream(ClientConnection from, ResponseWriter out) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int count = read(from, piece); count >= 0; count = read(from, piece)) {
            out.write(piece, count);
        }
        if (from.complete()) {
            out.end();
        }
        return from.complete();
    }

    /** Returns -1 at the end, also at one that comes too early: {@code complete} tells which it is. */
    private static int read(ClientConnection from, byte[] piece) {
        try {
            return from.read(piece);
        } catch (IOException brokenOff) {
            from.close();
            return -1;
        }
    }
}
