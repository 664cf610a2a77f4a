package io.knabla.runtime.http;

import io.knabla.runtime.http.ConnectionProgress.Phase;
import io.knabla.runtime.http.hpack.HpackDecoder;
import io.knabla.runtime.http.hpack.HpackException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves a connection whose client began with the preface of HTTP/2 (RFC 9113, section 3.4): reads its frames, and
 * starts a thread for each request. No push, no priorities, and nothing is compressed but what clients compress.
 */
final class Http2Connection {
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Bytes of a body, and of all bodies of a connection, that may be on their way. */
    static final int WINDOW = 512 << 10;

    private static final int DEFAULT_WINDOW = 65_535;
    private static final int STREAMS = 256;

    private final HttpServer server;
    private final HttpHandler handler;
    private final Socket socket;
    private final Http2Input in;
    private final Http2Output out;
    private final Http2Windows windows = new Http2Windows();
    private final Map<Integer, Http2Stream> streams = new ConcurrentHashMap<>();
    private final HpackDecoder decoder = new HpackDecoder();
    private final FloodLimit flood;
    private final byte[] small = new byte[8];
    private int lastStream;

    /** A stream whose handler is not started: its body may come with what is read already. */
    private Http2Stream pending;

    private int credit = WINDOW;
    private int consumed;
    private volatile long idleSince;
    private volatile boolean closing;

    Http2Connection(HttpServer server, Socket socket, HttpInput in) throws IOException {
        this.server = server;
        this.socket = socket;
        handler = server.handler().http2();
        out = new Http2Output(socket.getOutputStream());
        flood = new FloodLimit(server::now);
        this.in = new Http2Input(in, flood);
        idleSince = server.now();
    }

    /** Serves it until the peer has closed it, or has made a fault. */
    void run() throws IOException {
        try {
            out.settings(
                    Http2Frame.MAX_CONCURRENT_STREAMS, STREAMS,
                    Http2Frame.INITIAL_WINDOW_SIZE, WINDOW,
                    Http2Frame.MAX_HEADER_LIST_SIZE, HttpLimits.HEAD_BYTES);
            out.windowUpdate(0, WINDOW - DEFAULT_WINDOW);
            while (awaitFrame()) {
                frame();
            }
        } catch (Http2Error fault) {
            out.goAway(lastStream, fault.code, fault.getMessage());
        } catch (HpackException malformed) {
            out.goAway(lastStream, Http2Error.COMPRESSION_ERROR, malformed.getMessage());
        } finally {
            windows.close();
            startPending();
            streams.values().forEach(stream -> stream.abandon("the client has left"));
        }
    }

    private boolean awaitFrame() throws IOException {
        if (!in.hasBuffered()) {
            startPending();
            return in.fill();
        }
        return true;
    }

    private void startPending() {
        if (pending != null) {
            Thread.ofVirtual().start(pending);
            pending = null;
        }
    }

    private void frame() throws IOException {
        int length = in.number(3);
        int type = in.number(1);
        int flags = in.number(1);
        int stream = in.number(4) & Integer.MAX_VALUE;
        if (length > Http2Output.FRAME) {
            throw new Http2Error(
                    Http2Error.FRAME_SIZE_ERROR, "a frame is larger than %d bytes".formatted(Http2Output.FRAME));
        }
        switch (type) {
            case Http2Frame.DATA -> data(length, flags, stream);
            case Http2Frame.HEADERS -> headers(length, flags, stream);
            case Http2Frame.RST_STREAM -> resetByPeer(length, stream);
            case Http2Frame.SETTINGS -> settings(length, flags, stream);
            case Http2Frame.PING -> ping(length, flags, stream);
            case Http2Frame.WINDOW_UPDATE -> windowUpdate(length, stream);
            case Http2Frame.PUSH_PROMISE, Http2Frame.CONTINUATION ->
                throw Http2Input.protocol("a frame of type %d comes where it has no place".formatted(type));
            default -> {
                flood.count(FloodLimit.CONTROL);
                in.skip(length);
            }
        }
    }

    private void data(int length, int flags, int id) throws IOException {
        Http2Stream stream = streams.get(id);
        if (stream == null && (id > lastStream || (id & 1) == 0)) {
            throw Http2Input.protocol("a body comes before its head");
        }
        takeCredit(length);
        int padding = in.padding(length, flags);
        byte[] piece = new byte[length - padding - ((flags & Http2Frame.PADDED) != 0 ? 1 : 0)];
        in.read(piece, 0, piece.length);
        in.skip(padding);
        consumed(length - piece.length);
        boolean end = (flags & Http2Frame.END_STREAM) != 0;
        if (piece.length == 0 && !end) {
            flood.count(FloodLimit.CONTROL);
        }
        if (stream == null) {
            consumed(piece.length);
            return;
        }
        if (piece.length > 0) {
            stream.receive(piece);
        }
        if (end) {
            stream.receivedAll();
        }
        if (stream == pending) {
            startPending();
        }
    }

    private synchronized void takeCredit(int length) {
        credit -= length;
        if (credit < 0) {
            throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, "the bodies exceed the connection's window");
        }
    }

    /** Called by each thread that reads a body. */
    void consumed(int bytes) {
        int more = 0;
        synchronized (this) {
            consumed += bytes;
            if (consumed >= WINDOW / 2) {
                more = consumed;
                consumed = 0;
                credit += more;
            }
        }
        if (more > 0) {
            grant(0, more);
        }
    }

    void grant(int stream, int bytes) {
        try {
            out.windowUpdate(stream, bytes);
        } catch (IOException gone) {
            // The thread that reads the connection notices it.
        }
    }

    private void headers(int length, int flags, int id) throws IOException {
        int size = in.block(length, flags, id);
        var head = new Http2Head();
        decoder.decode(in.block(), size, head::add);
        boolean end = (flags & Http2Frame.END_STREAM) != 0;
        if (id <= lastStream) {
            trailers(streams.get(id), end);
            return;
        }
        startPending();
        lastStream = id;
        HttpRequest request = head.request();
        if (request == null) {
            flood.count(FloodLimit.RESET);
            out.reset(id, Http2Error.PROTOCOL_ERROR);
        } else if (closing || streams.size() >= STREAMS || !server.addStream(client())) {
            flood.count(FloodLimit.CONTROL);
            out.reset(id, Http2Error.REFUSED_STREAM);
        } else {
            open(new Http2Stream(this, id, request, head.tooLarge()), end);
        }
    }

    private void open(Http2Stream stream, boolean end) {
        streams.put(stream.id, stream);
        pending = stream;
        if (end) {
            stream.receivedAll();
            startPending();
        }
    }

    /** Fields after a body say nothing that a handler needs. */
    private void trailers(Http2Stream stream, boolean end) {
        if (stream == null) {
            return;
        }
        if (!end) {
            throw Http2Input.protocol("a second head comes within a body");
        }
        stream.receivedAll();
        if (stream == pending) {
            startPending();
        }
    }

    private void resetByPeer(int length, int id) throws IOException {
        expect(length == 4, "RST_STREAM");
        in.number(4);
        if (id > lastStream || (id & 1) == 0) {
            throw Http2Input.protocol("a stream is reset before it began");
        }
        flood.count(FloodLimit.RESET);
        Http2Stream stream = streams.get(id);
        if (stream != null) {
            stream.cancelled();
        }
    }

    private static void expect(boolean size, String type) {
        if (!size) {
            throw new Http2Error(Http2Error.FRAME_SIZE_ERROR, "a frame of type %s has a wrong size".formatted(type));
        }
    }

    private void settings(int length, int flags, int id) throws IOException {
        flood.count(FloodLimit.CONTROL);
        boolean acknowledged = (flags & Http2Frame.ACK) != 0;
        expect(acknowledged ? length == 0 : length % 6 == 0, "SETTINGS");
        if (id != 0) {
            throw Http2Input.protocol("settings belong to the connection");
        }
        for (int i = 0; i < length; i += 6) {
            setting(in.number(2), in.number(4));
        }
        if (!acknowledged) {
            out.acknowledgeSettings();
        }
    }

    private void setting(int setting, int value) {
        if (setting == Http2Frame.HEADER_TABLE_SIZE) {
            out.tableChanged();
        } else if (setting == Http2Frame.INITIAL_WINDOW_SIZE) {
            if (value < 0) {
                throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, "a window is larger than 2^31-1 bytes");
            }
            windows.initial(value, streams.values());
        }
    }

    private void ping(int length, int flags, int id) throws IOException {
        expect(length == small.length, "PING");
        if (id != 0) {
            throw Http2Input.protocol("a ping belongs to the connection");
        }
        flood.count(FloodLimit.CONTROL);
        in.read(small, 0, length);
        if ((flags & Http2Frame.ACK) == 0) {
            out.pong(small);
        }
    }

    private void windowUpdate(int length, int id) throws IOException {
        expect(length == 4, "WINDOW_UPDATE");
        int bytes = in.number(4) & Integer.MAX_VALUE;
        if (bytes == 0 || id > lastStream) {
            throw Http2Input.protocol("a window grows by nothing, or before its stream began");
        }
        if (id == 0) {
            windows.grow(null, bytes);
        } else if (streams.get(id) instanceof Http2Stream stream) {
            windows.grow(stream.window(), bytes);
        }
    }

    HttpServer server() {
        return server;
    }

    HttpHandler handler() {
        return handler;
    }

    InetAddress client() {
        return socket.getInetAddress();
    }

    Http2Output output() {
        return out;
    }

    Http2Windows windows() {
        return windows;
    }

    /** Called by any thread: ends a stream early. */
    void reset(int stream, int code) {
        try {
            out.reset(stream, code);
        } catch (IOException gone) {
            // The thread that reads the connection notices it.
        }
    }

    void ended(Http2Stream stream) {
        streams.remove(stream.id);
        server.removeStream(client());
        idleSince = server.now();
        if (closing && streams.isEmpty()) {
            close();
        }
    }

    /** Takes no further requests; closes after those under way. */
    void closeAfterStreams() throws IOException {
        if (!closing) {
            closing = true;
            out.goAway(lastStream, Http2Error.NO_ERROR, "");
        }
    }

    private void close() {
        try {
            socket.shutdownInput();
        } catch (IOException alreadyGone) {
            // There is nothing to release.
        }
    }

    boolean holdsBody() {
        return streams.values().stream().anyMatch(stream -> stream.body().holds());
    }

    /** The stream whose peer is most behind; how long it is idle, if there is none. */
    ConnectionProgress progress() {
        long now = server.now();
        return streams.values().stream()
                .map(Http2Stream::progress)
                .max((one, other) -> Long.compare(one.lateness(now), other.lateness(now)))
                .orElseGet(() -> new ConnectionProgress(Phase.IDLE, idleSince, 0));
    }

    /** Ends streams whose peer is too slow; false if the connection has to be closed. */
    boolean sweep(long now) {
        streams.values().forEach(stream -> stream.sweep(now));
        boolean idle = streams.isEmpty()
                && now - idleSince > server.limits().idleTime().toNanos();
        return !idle && out.blockedNanos() < server.limits().transferTime().toNanos();
    }
}
