package io.knabla.runtime.http;

import io.knabla.runtime.http.hpack.HpackDecoder;
import io.knabla.runtime.http.hpack.HpackEncoder;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A client of HTTP/2 that writes single frames, right and wrong ones. */
final class Http2Peer implements AutoCloseable {
    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final HpackDecoder decoder = new HpackDecoder();
    private final Object windows = new Object();
    private int connectionRoom = 65_535;
    private int streamRoom = Http2Connection.WINDOW;

    record Frame(int type, int flags, int stream, byte[] payload) {
        /** The error code of a frame of type GOAWAY or RST_STREAM. */
        int code() {
            int at = type == Http2Frame.GOAWAY ? 4 : 0;
            return payload[at + 3] & 0xff;
        }
    }

    /** Answer of one stream. */
    record Answer(Map<String, String> head, byte[] body, Map<String, String> trailers) {}

    Http2Peer(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        out = new DataOutputStream(new java.io.BufferedOutputStream(socket.getOutputStream(), 1 << 16));
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
        out.write(Http2Connection.PREFACE);
        frame(Http2Frame.SETTINGS, 0, 0);
    }

    synchronized Http2Peer frame(int type, int flags, int stream, byte... payload) throws IOException {
        out.writeInt(payload.length << 8 | type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        return this;
    }

    synchronized Http2Peer flush() throws IOException {
        out.flush();
        return this;
    }

    /** Fields in turn: name, value. */
    static byte[] block(String... fields) {
        var block = new HpackEncoder();
        for (int i = 0; i < fields.length; i += 2) {
            block.field(fields[i], fields[i + 1]);
        }
        return Arrays.copyOf(block.bytes(), block.size());
    }

    /** The head of a request with further fields. */
    static byte[] post(String... more) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(block(":method", "POST", ":scheme", "http", ":path", "/", ":authority", "x"));
        all.writeBytes(block(more));
        return all.toByteArray();
    }

    Http2Peer head(int stream, boolean end, byte[] block) throws IOException {
        int flags = Http2Frame.END_HEADERS | (end ? Http2Frame.END_STREAM : 0);
        return frame(Http2Frame.HEADERS, flags, stream, block);
    }

    Http2Peer data(int stream, boolean end, byte[] piece) throws IOException {
        return frame(Http2Frame.DATA, end ? Http2Frame.END_STREAM : 0, stream, piece);
    }

    Http2Peer window(int stream, int bytes) throws IOException {
        return frame(
                Http2Frame.WINDOW_UPDATE,
                0,
                stream,
                (byte) (bytes >> 24),
                (byte) (bytes >> 16),
                (byte) (bytes >> 8),
                (byte) bytes);
    }

    /** Waits until the server's windows, which {@link #answer} reads, have room for so many bytes of a body. */
    void awaitRoom(int bytes) {
        synchronized (windows) {
            try {
                while (Math.min(connectionRoom, streamRoom) < bytes) {
                    windows.wait();
                }
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            connectionRoom -= bytes;
            streamRoom -= bytes;
        }
    }

    private void addRoom(int stream, byte[] payload) {
        int more = ByteBuffer.wrap(payload).getInt();
        synchronized (windows) {
            if (stream == 0) {
                connectionRoom += more;
            } else {
                streamRoom += more;
            }
            windows.notifyAll();
        }
    }

    Frame read() throws IOException {
        int first = in.readInt();
        int flags = in.readByte();
        int stream = in.readInt();
        byte[] payload = new byte[first >>> 8];
        in.readFully(payload);
        if ((first & 0xff) == Http2Frame.WINDOW_UPDATE) {
            addRoom(stream, payload);
        }
        return new Frame(first & 0xff, flags, stream, payload);
    }

    /** The next frame of this type; others are dropped. */
    Frame await(int type) throws IOException {
        flush();
        Frame frame = read();
        while (frame.type() != type) {
            frame = read();
        }
        return frame;
    }

    /** Reads the answer of a stream, and gives the server room for all of it. */
    Answer answer(int stream) throws IOException {
        flush();
        Map<String, String> head = new HashMap<>();
        Map<String, String> trailers = new HashMap<>();
        var body = new ByteArrayOutputStream();
        Map<String, String> fields = head;
        while (true) {
            Frame frame = read();
            if (frame.type() == Http2Frame.HEADERS) {
                decoder.decode(frame.payload(), frame.payload().length, fields::put);
                fields = trailers;
            } else if (frame.type() == Http2Frame.DATA) {
                body.writeBytes(frame.payload());
                if (frame.payload().length > 0) {
                    window(0, frame.payload().length)
                            .window(stream, frame.payload().length)
                            .flush();
                }
            } else if (frame.type() == Http2Frame.GOAWAY
                    || (frame.type() == Http2Frame.RST_STREAM && frame.stream() == stream)) {
                throw new IOException("the server ended it with code " + frame.code());
            }
            boolean ofStream = frame.type() == Http2Frame.HEADERS || frame.type() == Http2Frame.DATA;
            if (ofStream && (frame.flags() & Http2Frame.END_STREAM) != 0) {
                return new Answer(head, body.toByteArray(), trailers);
            }
        }
    }

    /** Waits until the server has read all that was written before. */
    void awaitPong() throws IOException {
        frame(Http2Frame.PING, 0, 0, new byte[8]).await(Http2Frame.PING);
    }

    /** As {@link #goAway}, while another thread writes. */
    int goAwayDuringWrites() throws IOException {
        Frame frame = read();
        while (frame.type() != Http2Frame.GOAWAY) {
            frame = read();
        }
        return frame.code();
    }

    /** Code with which the server closes the connection. */
    int goAway() throws IOException {
        return await(Http2Frame.GOAWAY).code();
    }

    /** Waits until the server has closed the connection. */
    void awaitEnd() throws IOException {
        try {
            flush();
            while (true) {
                read();
            }
        } catch (EOFException | SocketException ended) {
            // As expected.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
