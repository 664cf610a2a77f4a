package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a body whose length is unknown reserves while its array grows. */
@Timeout(60)
class BodyMemoryTest {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final int LARGEST = 32 * MIB;

    private static HttpServer server(long buffered) throws IOException {
        var time = Duration.ofDays(1);
        var limits = new HttpLimits(LARGEST, buffered, 10, 10, time, time, time);
        return HttpServer.open(new InetSocketAddress("127.0.0.1", 0), new EchoHandler(), limits);
    }

    /** Status of a chunked body of {@code size} bytes. */
    private static int send(long buffered, int size) throws IOException {
        try (var server = server(buffered);
                var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            var out = socket.getOutputStream();
            out.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1));
            byte[] chunk = "4000\r\n%s\r\n".formatted(" ".repeat(16 * KIB)).getBytes(StandardCharsets.ISO_8859_1);
            try {
                for (int sent = 0; sent < size; sent += 16 * KIB) {
                    out.write(chunk);
                }
                out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException refused) {
                // Its answer is there to be read.
            }
            return Integer.parseInt(
                    new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1).substring(9));
        }
    }

    @Test
    void theOldArrayCountsUntilItIsCopied() throws Exception {
        assertThat(send(512 * KIB + 256 * KIB, 300 * KIB)).isEqualTo(200);
        assertThat(send(512 * KIB + 256 * KIB - 1, 300 * KIB)).isEqualTo(503);
    }

    @Test
    void theLargestBodyFits() throws Exception {
        assertThat(send(BodyBuffer.mostFor(LARGEST), LARGEST)).isEqualTo(200);
    }

    @Test
    void anEndlessBodyIsToldTheLimit() throws Exception {
        assertThat(send(BodyBuffer.mostFor(LARGEST), LARGEST + 16 * KIB)).isEqualTo(413);
    }

    @Test
    void aSmallerBodyDoublesWhereTheWholeOneHasNoRoom() throws Exception {
        assertThat(send(24 * MIB, 7 * MIB)).isEqualTo(200);
    }
}
