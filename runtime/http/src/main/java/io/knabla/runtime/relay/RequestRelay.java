package io.knabla.runtime.relay;

import io.knabla.runtime.http.BodyPump;
import io.knabla.runtime.http.ClientConnection;
import io.knabla.runtime.http.HttpExchange;
import io.knabla.runtime.http.HttpRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Forwards a client's request to another server; streams the part of its body that was not read yet. */
public final class RequestRelay {
    /** A head and a body up to this size go in one write, which is one packet on a local connection. */
    private static final int ONE_WRITE = 64 << 10;

    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private RequestRelay() {}

    /**
     * Sends the request.
     *
     * @param target path and query
     * @param headers header lines, each ended by CR LF, without framing
     * @return the pump of the body's rest; null if all of it was sent
     * @throws IOException if the other server did not take it
     */
    public static BodyPump send(HttpExchange exchange, ClientConnection to, String target, StringBuilder headers)
            throws IOException {
        HttpRequest request = exchange.request();
        to.begin(request.isHead());
        if (exchange.hasWholeBody()) {
            sendWhole(request, to, target, headers);
            return null;
        }
        long declared = exchange.declaredLength();
        boolean chunked = declared < 0;
        byte[] head = head(request, target, headers, chunked ? "Transfer-Encoding: chunked\r\n" : length(declared));
        to.send(head, head.length);
        Sink sink = new Sink(to, chunked);
        sink.write(request.body(), request.bodyLength());
        return exchange.pump(sink);
    }

    private static void sendWhole(HttpRequest request, ClientConnection to, String target, StringBuilder headers)
            throws IOException {
        int length = request.bodyLength();
        boolean framed = length > 0 || !request.method().equals("GET");
        byte[] head = head(request, target, headers, framed ? length(length) : "");
        if (head.length + length <= ONE_WRITE) {
            byte[] all = new byte[head.length + length];
            System.arraycopy(head, 0, all, 0, head.length);
            System.arraycopy(request.body(), 0, all, head.length, length);
            to.send(all, all.length);
        } else {
            to.send(head, head.length);
            to.send(request.body(), length);
        }
    }

    private static String length(long length) {
        return "Content-Length: " + length + "\r\n";
    }

    private static byte[] head(HttpRequest request, String target, StringBuilder headers, String framing) {
        String method = request.isHead() ? "HEAD" : request.method();
        return new StringBuilder(headers.length() + target.length() + 64)
                .append(method)
                .append(' ')
                .append(target)
                .append(" HTTP/1.1\r\n")
                .append(headers)
                .append(framing)
                .append("\r\n")
                .toString()
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Writes a body to the other server in its framing. */
    private record Sink(ClientConnection to, boolean chunked) implements BodyPump.Sink {
        @Override
        public void write(byte[] bytes, int length) throws IOException {
            if (length == 0) {
                return;
            }
            if (chunked) {
                byte[] size = (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
                to.send(size, size.length);
            }
            to.send(bytes, length);
            if (chunked) {
                to.send(new byte[] {'\r', '\n'}, 2);
            }
        }

        @Override
        public void end() throws IOException {
            if (chunked) {
                to.send(LAST_CHUNK, LAST_CHUNK.length);
            }
        }

        @Override
        public void close() {
            to.close();
        }
    }
}
