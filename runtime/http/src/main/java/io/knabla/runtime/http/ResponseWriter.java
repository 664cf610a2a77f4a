package io.knabla.runtime.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes the body of one response. A body that is not ended closes the connection, so that it looks incomplete. */
public final class ResponseWriter {
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LINE_END = {'\r', '\n'};

    private final ExchangeCarrier connection;
    private final boolean chunked;
    private final boolean headOnly;
    private boolean ended;

    ResponseWriter(ExchangeCarrier connection, boolean chunked, boolean headOnly) {
        this.connection = connection;
        this.chunked = chunked;
        this.headOnly = headOnly;
    }

    /** A response that was written in one piece. */
    static ResponseWriter whole() {
        var whole = new ResponseWriter(null, false, false);
        whole.ended = true;
        return whole;
    }

    /** @throws IOException if the client has left or reads too slowly */
    public void write(byte[] bytes, int length) throws IOException {
        if (headOnly || length == 0) {
            return;
        }
        if (chunked) {
            byte[] size = (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            connection.write(size, size.length);
        }
        connection.write(bytes, length);
        if (chunked) {
            connection.write(LINE_END, LINE_END.length);
        }
    }

    /** Says that the body is complete. */
    public void end() throws IOException {
        end("");
    }

    /**
     * Says that the body is complete.
     *
     * @param trailers lines of fields after the body, each ended by CR LF; only HTTP/2 sends them
     */
    public void end(String trailers) throws IOException {
        if (chunked && !headOnly) {
            connection.write(LAST_CHUNK, LAST_CHUNK.length);
        }
        if (!headOnly) {
            connection.endBody(trailers);
        }
        ended = true;
    }

    boolean complete() {
        return ended;
    }
}
