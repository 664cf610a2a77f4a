package io.knabla.runtime.http;

import io.knabla.runtime.http.ConnectionProgress.Phase;
import io.knabla.runtime.http.hpack.HpackDecoder;
import io.knabla.runtime.http.hpack.HpackException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Serves a connection that began with the preface of HTTP/2 (RFC 9113, section 3.4): reads frames, starts a thread for
 * each request; no push, no priorities. Netty's codec with such threads took 1.8 times the CPU at a lower rate.
 */
final class Http2Connection {
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Bytes of a body, and of all bodies of a connection, that may be on their way. */
    static final int WINDOW = 512 << 10;

    private static final int DEFAULT_WINDOW = 65_535;
    private static final int STREAMS = 256;
    private static final int PING_BYTES = 8;

    /** A shorter piece in the middle of a body brings less than the frame around it costs. */
    private static final int LEAST_PIECE = 5;

    /** A peer may answer each frame of a body by one update for its stream and one for the connection; twice that. */
    private static final int UPDATES_PER_FRAME = 4;

    private final HttpServer server;
    private final HttpHandler handler;
    private final Socket socket;
    private final Http2Input in;
    private final Http2Output out;
    private final Http2Windows windows = new Http2Windows();
    private final Http2Streams streams = new Http2Streams();
    private final UnreadBodies unread;
    private final HpackDecoder decoder = new HpackDecoder();
    private final FloodLimit flood;
    private final byte[] small = new byte[Http2Body.MERGED];
    private volatile int lastStream;
    private long updates;

    /** A stream whose handler is not started: its body may come with what is read already. */
    private Http2Stream pending;

    private final Http2Credit credit = new Http2Credit("the bodies exceed the connection's window");
    private volatile long idleSince;
    private volatile boolean closing;

    Http2Connection(HttpServer server, Socket socket, HttpInput in) throws IOException {
        this.server = server;
        this.socket = socket;
        handler = server.handler().http2();
        out = new Http2Output(socket.getOutputStream());
        flood = new FloodLimit(server::now);
        unread = new UnreadBodies(server, client());
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
            streams.all().forEach(stream -> stream.abandon("the client has left"));
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
            case Http2Frame.PRIORITY -> priority(length, stream);
            case Http2Frame.RST_STREAM -> resetByPeer(length, stream);
            case Http2Frame.SETTINGS -> settings(length, flags, stream);
            case Http2Frame.PING -> ping(length, flags, stream);
            case Http2Frame.GOAWAY -> goAway(length, stream);
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
        if (id > lastStream || (id & 1) == 0) {
            throw Http2Input.protocol("a body comes before its head");
        }
        Http2Stream stream = streams.receiving(id);
        credit.take(length);
        int padding = in.padding(length, flags);
        int size = length - padding - ((flags & Http2Frame.PADDED) != 0 ? 1 : 0);
        boolean end = (flags & Http2Frame.END_STREAM) != 0;
        if (size < LEAST_PIECE && !end) {
            flood.count(FloodLimit.CONTROL);
        }
        if (stream == null) {
            consumed(length);
            in.skip(size + padding);
            return;
        }
        stream.padded(length - size);
        byte[] piece = size < Http2Body.MERGED ? small : new byte[size];
        in.read(piece, 0, size);
        in.skip(padding);
        received(stream, piece, size, end);
    }

    private void received(Http2Stream stream, byte[] piece, int size, boolean end) {
        boolean fits = true;
        if (size > 0) {
            fits = stream.receive(piece, size, end);
        } else if (end) {
            fits = stream.receivedAll();
        }
        if (!fits) {
            fail(stream, Http2Error.PROTOCOL_ERROR, "the body has another length than its head declares");
        }
        if (stream == pending) {
            startPending();
        }
    }

    /** Ends a stream for a fault of its peer, which must not cost less than a reset by the peer itself. */
    private void fail(Http2Stream stream, int code, String why) {
        flood.count(FloodLimit.RESET);
        stream.end(code, why);
    }

    /** Called by each thread that reads a body. */
    void consumed(int bytes) {
        int more = credit.consumed(bytes);
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
            trailers(streams.receiving(id), end);
            return;
        }
        startPending();
        lastStream = id;
        HttpRequest request = head.request();
        flood.count(request == null || head.tooLarge() ? FloodLimit.RESET : 0);
        if (request == null) {
            reset(id, Http2Error.PROTOCOL_ERROR);
        } else if (closing || streams.count() >= STREAMS || !server.addStream(client())) {
            flood.count(FloodLimit.CONTROL);
            reset(id, Http2Error.REFUSED_STREAM);
        } else {
            open(new Http2Stream(this, id, request, head.tooLarge()), end);
        }
    }

    private void open(Http2Stream stream, boolean end) {
        streams.add(stream);
        pending = stream;
        if (end) {
            received(stream, small, 0, true);
        }
    }

    /** Fields after a body say nothing that a handler needs. */
    private void trailers(Http2Stream stream, boolean end) {
        if (!end) {
            throw Http2Input.protocol("a second head comes within a body");
        }
        if (stream != null) {
            received(stream, small, 0, true);
        }
    }

    private void priority(int length, int id) throws IOException {
        flood.count(FloodLimit.CONTROL);
        expect(length == Http2Input.PRIORITY_BYTES, "PRIORITY");
        if (id == 0) {
            throw Http2Input.protocol("a priority belongs to a stream");
        }
        in.priority(id);
    }

    /** The peer opens no further streams; those under way go on. */
    private void goAway(int length, int id) throws IOException {
        flood.count(FloodLimit.CONTROL);
        if (id != 0) {
            throw Http2Input.protocol("the end of a connection belongs to the connection");
        }
        in.skip(length);
    }

    private void resetByPeer(int length, int id) throws IOException {
        expect(length == 4, "RST_STREAM");
        in.number(4);
        if (id > lastStream || (id & 1) == 0) {
            throw Http2Input.protocol("a stream is reset before it began");
        }
        flood.count(FloodLimit.RESET);
        streams.resetByPeer(id);
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
        flood.count(FloodLimit.CONTROL + length / PeerSettings.BYTES);
        boolean acknowledged = (flags & Http2Frame.ACK) != 0;
        expect(acknowledged ? length == 0 : length % PeerSettings.BYTES == 0, "SETTINGS");
        if (id != 0) {
            throw Http2Input.protocol("settings belong to the connection");
        }
        PeerSettings settings = PeerSettings.read(in, length);
        if (settings.table()) {
            out.tableChanged();
        }
        if (settings.window() >= 0) {
            flood.count(windows.initial(settings.window(), streams.all()));
        }
        if (!acknowledged) {
            out.acknowledgeSettings();
        }
    }

    private void ping(int length, int flags, int id) throws IOException {
        expect(length == PING_BYTES, "PING");
        if (id != 0) {
            throw Http2Input.protocol("a ping belongs to the connection");
        }
        flood.count(FloodLimit.CONTROL);
        in.read(small, 0, length);
        if ((flags & Http2Frame.ACK) == 0) {
            out.pong(small, PING_BYTES);
        }
    }

    private void windowUpdate(int length, int id) throws IOException {
        expect(length == 4, "WINDOW_UPDATE");
        int bytes = in.number(4) & Integer.MAX_VALUE;
        if (bytes == 0 || id > lastStream) {
            throw Http2Input.protocol("a window grows by nothing, or before its stream began");
        }
        if (++updates > UPDATES_PER_FRAME * out.progress()) {
            flood.count(FloodLimit.CONTROL);
        }
        if (id == 0) {
            if (!windows.grow(null, bytes)) {
                throw new Http2Error(Http2Error.FLOW_CONTROL_ERROR, "a window is larger than 2^31-1 bytes");
            }
        } else if (streams.get(id) instanceof Http2Stream stream && !windows.grow(stream.window(), bytes)) {
            fail(stream, Http2Error.FLOW_CONTROL_ERROR, "a window is larger than 2^31-1 bytes");
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

    UnreadBodies unread() {
        return unread;
    }

    /** Called by any thread: ends a stream early. */
    void reset(int stream, int code) {
        streams.reset(stream);
        try {
            out.reset(stream, code);
        } catch (IOException gone) {
            // The thread that reads the connection notices it.
        }
    }

    void ended(Http2Stream stream) {
        streams.remove(stream);
        server.removeStream(client());
        idleSince = server.now();
        if (closing && streams.count() == 0) {
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

    boolean hasStreams() {
        return streams.count() > 0;
    }

    boolean holdsBody() {
        return unread.holds()
                || streams.all().stream().anyMatch(stream -> stream.body().holds());
    }

    /** The stream whose peer is most behind; how long it is idle, if there is none. */
    ConnectionProgress progress() {
        long now = server.now();
        return streams.all().stream()
                .map(Http2Stream::progress)
                .max((one, other) -> Long.compare(one.urgency(now), other.urgency(now)))
                .orElseGet(() -> new ConnectionProgress(lastStream == 0 ? Phase.NEW : Phase.IDLE, idleSince, 0));
    }

    /** Ends streams whose peer is too slow; false if the connection has to be closed. */
    boolean sweep(long now) {
        streams.all().forEach(stream -> stream.sweep(now));
        boolean idle = streams.count() == 0
                && now - idleSince > server.limits().idleTime().toNanos();
        return !idle && out.blockedNanos() < server.limits().transferTime().toNanos();
    }
}
