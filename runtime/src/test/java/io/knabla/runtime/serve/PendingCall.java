package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A request whose head is admitted before its body is sent and its answer is read. */
final class PendingCall implements AutoCloseable {
    private static final String LEAVE = "HTTP/1.1 100 Continue\r\n\r\n";

    private final Socket socket;
    private final String body;

    PendingCall(int port, String path, String body) throws IOException {
        this.body = body;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        write(
                "POST %s HTTP/1.1\r\nHost: x\r\nK-Proxy-Request: activator\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
                        .formatted(path, body.length()));
        assertThat(new String(socket.getInputStream().readNBytes(LEAVE.length())))
                .isEqualTo(LEAVE);
    }

    private void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    String answer() throws IOException {
        write(body);
        return new String(socket.getInputStream().readAllBytes());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
