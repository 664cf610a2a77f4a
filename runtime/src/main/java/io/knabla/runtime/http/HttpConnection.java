package io.knabla.runtime.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;

/** Serves one connection: reads a request, passes it to the handler, writes the response, and repeats. */
final class HttpConnection implements Runnable {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes();
    private static final int LINGER_BYTES = 4 << 20;
    private static final long NEVER = Long.MAX_VALUE;

    private final HttpServer server;
    private final HttpHandler handler;
    private final Socket socket;
    private final HttpInput in;
    private final HttpOutput out;

    /** Time after which the sweeper closes this connection; {@link #NEVER} while the handler runs. */
    private volatile long deadline;

    HttpConnection(HttpServer server, Socket socket) throws IOException {
        this.server = server;
        this.handler = server.handler();
        this.socket = socket;
        InputStream input = socket.getInputStream();
        OutputStream output = socket.getOutputStream();
        this.in = new HttpInput(server, input);
        this.out = new HttpOutput(output);
        setDeadline(server.limits().headTime());
    }

    @Override
    public void run() {
        try {
            while (serveOne()) {
                setDeadline(server.limits().idleTime());
            }
        } catch (IOException gone) {
            // The peer left or was too slow.
        } finally {
            in.releaseBody();
            server.remove(this);
            close();
        }
    }

    /** Serves one request; false if the connection must close after it. */
    private boolean serveOne() throws IOException {
        HeadParser.Head head;
        BodyFraming kind;
        try {
            if (!in.awaitFirstByte()) {
                return false;
            }
            setDeadline(server.limits().headTime());
            head = in.readHead();
            kind = BodyFraming.of(head.request(), head.http11());
            checkHost(head);
        } catch (HttpFault fault) {
            return fail(fault, false);
        }
        HttpResponse refusal = handler.refuse(head.request());
        if (refusal != null) {
            boolean bodyFollows = !kind.equals(new BodyFraming.Sized(0));
            boolean keep = !bodyFollows && keepAlive(head);
            out.write(refusal, keep, head.request().isHead());
            return keep || linger();
        }
        try {
            return answer(head, kind);
        } finally {
            handler.done();
        }
    }

    private boolean answer(HeadParser.Head head, BodyFraming kind) throws IOException {
        HttpRequest request = head.request();
        try {
            readBody(head, kind);
        } catch (HttpFault fault) {
            return fail(fault, request.isHead());
        }
        deadline = NEVER;
        boolean keep = keepAlive(head);
        HttpResponse response = handler.handle(request);
        keep &= !response.headers().contains("Connection: close");
        setDeadline(transferTime(response.length()));
        out.write(response, keep, request.isHead());
        in.releaseBody();
        return keep;
    }

    private void readBody(HeadParser.Head head, BodyFraming kind) throws IOException {
        HttpRequest request = head.request();
        String expect = request.header("Expect");
        if (expect != null && !expect.equalsIgnoreCase("100-continue")) {
            throw new HttpFault(417, "the only Expect this server knows is 100-continue");
        }
        int max = server.limits().bodyBytes();
        switch (kind) {
            case BodyFraming.Sized(long length) -> {
                if (length > max) {
                    throw HttpInput.tooLarge(max);
                }
                if (length > 0) {
                    sendContinue(expect, head.http11());
                    setDeadline(transferTime(length));
                    in.readSized(request, (int) length);
                }
            }
            case BodyFraming.Chunked() -> {
                sendContinue(expect, head.http11());
                setDeadline(transferTime(max));
                in.readChunked(request);
            }
        }
    }

    private void sendContinue(String expect, boolean http11) throws IOException {
        if (expect != null && http11 && !in.hasBuffered()) {
            out.write(CONTINUE);
        }
    }

    private static void checkHost(HeadParser.Head head) {
        int hosts = head.request().count("Host");
        if (hosts > 1 || (hosts == 0 && head.http11())) {
            throw new HttpFault(400, "a request needs exactly one Host header");
        }
    }

    private static boolean keepAlive(HeadParser.Head head) {
        String connection = head.request().header("Connection");
        return head.http11()
                && (connection == null
                        || !connection.toLowerCase(java.util.Locale.ROOT).contains("close"));
    }

    private boolean fail(HttpFault fault, boolean head) throws IOException {
        var body = handler.error(fault.status, fault.getMessage());
        out.write(HttpResponse.json(fault.status, body), false, head);
        return linger();
    }

    /**
     * Reads and drops what the peer still sends, for a moment: closing with unread bytes would reset the connection and
     * could discard the response.
     */
    private boolean linger() throws IOException {
        setDeadline(Duration.ofSeconds(2));
        socket.shutdownOutput();
        in.discard(LINGER_BYTES);
        return false;
    }

    private Duration transferTime(long bytes) {
        return server.limits().transferTime().plusSeconds(bytes >> 16);
    }

    private void setDeadline(Duration time) {
        deadline = server.now() + time.toNanos();
    }

    void closeIfLate(long now) {
        long until = deadline;
        if (until != NEVER && now - until > 0) {
            close();
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // There is nothing to release.
        }
    }
}
