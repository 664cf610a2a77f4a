package io.knabla.hostile;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A plain TCP connection to the target, which writes any bytes and reads responses. */
final class Wire implements AutoCloseable {
    /** Where honest callers come from, so that a limit per client address tells them from the hostile ones. */
    private static final InetAddress HONEST = address(1);

    private static final InetAddress HOSTILE = address(2);
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Less than the 30 s that a server may wait for a slow peer: honest callers must not wait for those. */
    private static final Duration HONEST_PATIENCE = Duration.ofSeconds(20);

    private static final int MOST_HEAD = 1 << 16;
    private static final int SMALLEST_WINDOW = 4096;

    private final Socket socket;
    private final InputStream in;

    private Wire(InetAddress from, Target target, boolean slowReader) throws IOException {
        socket = new Socket();
        try {
            if (slowReader) {
                socket.setReceiveBufferSize(SMALLEST_WINDOW);
            }
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(HONEST, target.port()), (int) PATIENCE.toMillis());
            socket.setTcpNoDelay(true);
            patience(PATIENCE);
            in = new java.io.BufferedInputStream(socket.getInputStream());
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    static Wire honest(Target target) throws IOException {
        Wire wire = new Wire(HONEST, target, false);
        wire.patience(HONEST_PATIENCE);
        return wire;
    }

    static Wire hostile(Target target) throws IOException {
        return new Wire(HOSTILE, target, false);
    }

    /** A hostile client with a small receive buffer, so that an unread response soon blocks its writer. */
    static Wire slowReader(Target target) throws IOException {
        return new Wire(HOSTILE, target, true);
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (java.net.UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Reads wait so long for the next byte, then throw {@link java.net.SocketTimeoutException}. */
    void patience(Duration time) throws IOException {
        socket.setSoTimeout((int) time.toMillis());
    }

    Wire write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    Wire write(String text) throws IOException {
        return write(Target.bytes(text));
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads the next final response; empty if the server closed the connection instead. */
    Optional<Answer> answer() throws IOException {
        while (true) {
            String head = head();
            if (head.isEmpty()) {
                return Optional.empty();
            }
            Matcher status = STATUS.matcher(head);
            int code = status.lookingAt() ? Integer.parseInt(status.group(1)) : 0;
            if (code == 0 || code == 101 || code >= 200) {
                return Optional.of(new Answer(code, head, code < 200 ? "" : body(head)));
            }
        }
    }

    private String head() throws IOException {
        var head = new ByteArrayOutputStream();
        int last = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            head.write(b);
            last = last << 8 | b;
            if (last == 0x0d0a0d0a || head.size() > MOST_HEAD) {
                break;
            }
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private String body(String head) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("\r\ntransfer-encoding: chunked")) {
            return chunks();
        }
        Matcher length = LENGTH.matcher(lower);
        byte[] body = length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
        return new String(body, StandardCharsets.ISO_8859_1);
    }

    private String chunks() throws IOException {
        var body = new StringBuilder();
        while (true) {
            int size = Integer.parseInt(line(), 16);
            body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
            line();
            if (size == 0) {
                return body.toString();
            }
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the server left within a chunked response");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    /** ConnectionResets the connection (RST) instead of ending it. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
