package io.knabla.bench.store;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Sends one HTTP request over one socket, as the reference client: no retries, no checks, no copies. */
final class RawConnection implements AutoCloseable {
    private static final int HEAD = 16 << 10;

    private final SocketChannel channel;
    private final String host;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD);

    RawConnection(URI server) throws IOException {
        channel = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
        host = server.getHost() + ":" + server.getPort();
    }

    /** Reads {@code into.remaining()} bytes of an object from {@code offset} on. */
    void get(URI presigned, long offset, ByteBuffer into) throws IOException {
        long last = offset + into.remaining() - 1;
        send("GET", presigned, "Range: bytes=" + offset + "-" + last);
        expectGood(answer());
        into.put(head);
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the server broke off");
            }
        }
    }

    /** Sends a file as the whole object, from the page cache to the socket. */
    void put(URI presigned, FileChannel file) throws IOException {
        long size = file.size();
        send("PUT", presigned, "Content-Length: " + size);
        for (long sent = 0; sent < size; ) {
            sent += file.transferTo(sent, size - sent, channel);
        }
        expectGood(answer());
    }

    private void send(String method, URI presigned, String header) throws IOException {
        String request = "%s %s?%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n\r\n"
                .formatted(method, presigned.getRawPath(), presigned.getRawQuery(), host, header);
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Reads the response head and returns it; {@link #head} keeps the first bytes of the body. */
    private String answer() throws IOException {
        head.clear();
        while (channel.read(head) >= 0) {
            byte[] so = new byte[head.position()];
            head.get(0, so);
            String text = new String(so, StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            if (end >= 0) {
                head.flip().position(end + 4);
                return text.substring(0, end);
            }
        }
        throw new EOFException("no answer");
    }

    private static void expectGood(String answer) throws IOException {
        if (!answer.toLowerCase(Locale.ROOT).startsWith("http/1.1 20")) {
            throw new IOException("the server answered " + answer);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
